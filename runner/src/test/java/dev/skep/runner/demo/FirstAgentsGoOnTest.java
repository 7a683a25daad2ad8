package dev.skep.runner.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.models.CommandCall;
import dev.skep.models.ModelListener;
import dev.skep.models.ModelMessage;
import dev.skep.models.ModelReply;
import dev.skep.models.ModelRequest;
import dev.skep.models.ModelSettings;
import dev.skep.models.Prices;
import dev.skep.models.scripted.ScriptedModel;
import dev.skep.models.yaml.BindingResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever comes an hour later finds alice and bob as quiet as they left them, and there. */
class FirstAgentsGoOnTest {
    private static final int AN_HOUR_LATER = 60;

    @TempDir Path folder;

    private ScriptedModel model(String agent) {
        Path agents = folder.resolve("agents");
        FirstAgents.writeIfNew(agents);
        Path script = agents.resolve(agent + ".script.yaml");
        return switch (ScriptedModel.read("scripted:" + agent, script)) {
            case BindingResult.Value<ScriptedModel>(ScriptedModel model) -> model;
            case BindingResult.Problems<ScriptedModel> wrong ->
                    throw new AssertionError(wrong.problems());
        };
    }

    /** What it does at a turn, told this since its last reply. */
    private static ModelReply.Answered at(ScriptedModel model, int turn, String told)
            throws InterruptedException {
        List<ModelMessage> messages = new ArrayList<>(List.of(new ModelMessage.Said("[begin]")));
        for (int i = 0; i < turn; i++) {
            messages.add(new ModelMessage.Replied("", List.of(), null));
            messages.add(new ModelMessage.Said(i == turn - 1 ? told : "[a turn]"));
        }
        var request = new ModelRequest("You are here.", messages, true, ModelSettings.standard());
        return (ModelReply.Answered) model.ask(request, ModelListener.SILENT);
    }

    private static List<String> commands(ModelReply.Answered reply) {
        return reply.commands().stream().map(CommandCall::command).toList();
    }

    @Test
    void alice_has_noted_enough_after_a_while_and_waits_without_an_end() throws Exception {
        List<String> does = commands(at(model("alice"), AN_HOUR_LATER, "My clock says 12:00:00."));
        assertThat(does).noneMatch(command -> command.startsWith("mail send"));
        assertThat(does.getLast()).isEqualTo("session wait");
    }

    @ParameterizedTest
    @ValueSource(strings = {"alice", "bob"})
    void either_answers_a_word_reads_what_came_and_waits_again(String agent) throws Exception {
        ScriptedModel model = model(agent);
        ModelReply.Answered heard = at(model, AN_HOUR_LATER, "A person says: Thank you.\n[a turn]");
        assertThat(heard.text()).contains("You said: Thank you.");
        assertThat(commands(heard)).containsExactly("mail read");
        assertThat(commands(at(model, AN_HOUR_LATER, "No unread mail.")))
                .containsExactly("session wait");
        assertThat(commands(at(model, AN_HOUR_LATER, "New mail: from dora")))
                .containsExactly("mail read");
    }

    @ParameterizedTest
    @ValueSource(strings = {"alice", "bob"})
    void neither_ends_its_session_nor_costs_anything(String agent) throws Exception {
        assertThat(model(agent).card().prices()).isEqualTo(Prices.FREE);
        assertThat(Files.readString(folder.resolve("agents/" + agent + ".script.yaml")))
                .doesNotContain("session complete");
    }
}
