package dev.skep.models.table;

import dev.skep.models.ModelListener;
import dev.skep.models.ModelMessage;
import dev.skep.models.ModelReply;
import dev.skep.models.ModelRequest;
import dev.skep.models.ModelSettings;
import dev.skep.models.Models;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** A process that opens and asks one scripted model, to see what that loads. */
final class AskingAScript {
    private AskingAScript() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        try (var models =
                new ConfiguredModels(
                        () -> ModelTable.read(folder.resolve("models.yaml")),
                        _ -> Optional.empty(),
                        InstantSource.system())) {
            var request =
                    new ModelRequest(
                            "You are Ada.",
                            List.of(new ModelMessage.Said("go")),
                            true,
                            ModelSettings.standard());
            if (models.open("scripted:ada.script.yaml", folder)
                            instanceof Models.Opening.Ready ready
                    && ready.model().ask(request, ModelListener.SILENT)
                            instanceof ModelReply.Answered answered) {
                System.out.println("the model said " + answered.text());
            }
        }
    }
}
