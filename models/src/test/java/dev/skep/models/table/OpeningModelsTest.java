package dev.skep.models.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.models.ModelCard;
import dev.skep.models.Models.Opening;
import dev.skep.models.Prices;
import dev.skep.models.Usage;
import dev.skep.models.scripted.ModelScript;
import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.JsonSchema;
import dev.skep.models.yaml.YamlBinder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

final class OpeningModelsTest {
    @TempDir Path folder = Path.of("");

    private ConfiguredModels models(String ownTable, Map<String, String> keys) throws IOException {
        Path file = folder.resolve("models.yaml");
        if (!ownTable.isEmpty()) {
            Files.writeString(file, ownTable);
        }
        return new ConfiguredModels(
                () -> ModelTable.read(file),
                name -> Optional.ofNullable(keys.get(name)),
                InstantSource.system());
    }

    private static ModelCard card(Opening opening) {
        if (opening instanceof Opening.Ready ready) {
            return ready.model().card();
        }
        throw new AssertionError(opening);
    }

    @Test
    void the_shipped_table_names_models_of_each_provider_with_their_prices() throws Exception {
        try (var models = models("", Map.of())) {
            assertThat(models.cards())
                    .extracting(ModelCard::provider)
                    .contains("anthropic", "openai", "google", "openai_compatible");
            assertThat(models.cards())
                    .filteredOn(card -> !card.provider().equals("openai_compatible"))
                    .allSatisfy(card -> assertThat(card.prices()).isNotEqualTo(Prices.FREE));
        }
    }

    @Test
    void a_model_without_its_key_says_which() throws Exception {
        try (var models = models("", Map.of("OPENAI_API_KEY", " "))) {
            assertThat(models.open("claude-haiku-4-5", folder))
                    .isEqualTo(
                            new Opening.Refused(
                                    "model claude-haiku-4-5 needs a key: put ANTHROPIC_API_KEY=… into .env in the data folder"));
            assertThat(models.open("gpt-5", folder)).isInstanceOf(Opening.Refused.class);
            assertThat(models.open("gemini-2.5-pro", folder).toString()).contains("GEMINI_API_KEY");
        }
    }

    @Test
    void a_model_with_its_key_is_ready_and_costs_exactly_what_the_list_says() throws Exception {
        try (var models = models("", Map.of("ANTHROPIC_API_KEY", "k"))) {
            ModelCard card = card(models.open("claude-sonnet-4-5", folder));
            assertThat(card.prices())
                    .isEqualTo(new Prices(3_000_000, 15_000_000, 300_000, 3_750_000));
            // 1,234 x $3 + 567 x $15 + 89,000 x $0.30 + 10 x $3.75 per million = 38,944.5
            // micro-dollars
            assertThat(card.prices().cost(new Usage(1234, 567, 89_000, 10))).isEqualTo(38_945);
        }
    }

    @Test
    void only_openai_has_two_apis() throws Exception {
        String entry =
                "models: [{ name: m, provider: %s, api: responses, url: \"http://x/v1\", key: none, context_tokens: 1 }]";
        try (var models = models(entry.formatted("openai"), Map.of())) {
            assertThat(card(models.open("m", folder)).provider()).isEqualTo("openai");
        }
        try (var models = models(entry.formatted("anthropic"), Map.of())) {
            assertThat(models.open("m", folder).toString())
                    .contains("responses is only for the provider openai");
        }
    }

    @Test
    void a_servers_models_all_have_its_entry() throws Exception {
        try (var models = models("", Map.of())) {
            ModelCard card = card(models.open("ollama/llama3.3:70b", folder));
            assertThat(card.name()).isEqualTo("ollama/llama3.3:70b");
            assertThat(card.prices()).isEqualTo(Prices.FREE);
            assertThat(models.open("ollama/", folder)).isInstanceOf(Opening.Refused.class);
        }
    }

    @Test
    void the_users_table_adds_and_replaces() throws Exception {
        String own =
                """
                models:
                  - name: claude-haiku-4-5
                    provider: anthropic
                    key: MY_KEY
                    context_tokens: 1000
                    prices: { input: 0.000001, output: 0 }
                  - name: qwen
                    provider: openai_compatible
                    model: qwen/qwen3-coder
                    url: https://openrouter.ai/api/v1
                    key: OPENROUTER_API_KEY
                    context_tokens: 131_072
                    prices: { input: 0.22, output: 0.95 }
                """;
        try (var models = models(own, Map.of("MY_KEY", "a", "OPENROUTER_API_KEY", "b"))) {
            assertThat(card(models.open("claude-haiku-4-5", folder)))
                    .isEqualTo(
                            new ModelCard(
                                    "claude-haiku-4-5", "anthropic", 1000, new Prices(1, 0, 0, 0)));
            assertThat(card(models.open("qwen", folder)).prices().input()).isEqualTo(220_000);
            assertThat(models.cards()).extracting(ModelCard::name).contains("gpt-5");
        }
    }

    @Test
    void a_broken_table_leaves_the_shipped_models_and_names_its_fault() throws Exception {
        String own =
                """
                models:
                  - name: mine
                    provider: openai_compatible
                    context_tokens: 1000
                  - name: other
                    provider: anthropic
                    url: "ftp://x"
                    context_tokens: 1000
                    prices: { input: -1, output: 0.0000001 }
                """;
        try (var models = models(own, Map.of("ANTHROPIC_API_KEY", "k"))) {
            assertThat(models.open("claude-haiku-4-5", folder)).isInstanceOf(Opening.Ready.class);
            assertThat(models.open("mine", folder).toString())
                    .contains("models.yaml:2:", "url", "is missing");
            assertThat(ModelTable.read(folder.resolve("models.yaml")).problems()).hasSize(2);
        }
    }

    @Test
    void an_unknown_name_is_refused_with_the_known_ones() throws Exception {
        try (var models = models("", Map.of())) {
            assertThat(models.open("gtp-5", folder).toString())
                    .contains("model gtp-5 is not known", "gpt-5", "ollama/*");
        }
    }

    @Test
    void a_script_is_found_beside_the_agents_file() throws Exception {
        Files.writeString(folder.resolve("ada.script.yaml"), "steps: [ { say: hello } ]");
        try (var models = models("", Map.of())) {
            assertThat(card(models.open("scripted:ada.script.yaml", folder)).name())
                    .isEqualTo("scripted:ada.script.yaml");
            assertThat(models.open("scripted:missing.yaml", folder).toString())
                    .contains("missing.yaml");
        }
    }

    @Test
    void the_examples_of_the_documentation_are_read() throws Exception {
        String page = Files.readString(Path.of("../docs/models.md"));
        var examples =
                Pattern.compile("(?ms)^```yaml\n(.*?)^```")
                        .matcher(page)
                        .results()
                        .map(match -> match.group(1))
                        .toList();
        assertThat(YamlBinder.parse("models.md", examples.get(0), ModelsFile.class))
                .isInstanceOf(BindingResult.Value.class);
        assertThat(YamlBinder.parse("models.md", examples.get(1), ModelScript.class))
                .isInstanceOf(BindingResult.Value.class);
        assertThat(examples).hasSize(2);
    }

    @Test
    void tables_and_scripts_have_a_schema_for_editors() {
        assertThat(JsonMapper.shared().readTree(JsonSchema.of(ModelsFile.class, "models")))
                .asString()
                .contains("cache_read", "openai_compatible");
        assertThat(JsonMapper.shared().readTree(JsonSchema.of(ModelScript.class, "script")))
                .asString()
                .contains("retry_after", "from_turn");
    }

    @Test
    void nothing_of_the_providers_libraries_is_loaded_for_scripted_agents() throws Exception {
        Files.writeString(folder.resolve("ada.script.yaml"), "steps: [ { say: hello } ]");
        Process runner =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-Xlog:class+load:stdout",
                                "-cp",
                                System.getProperty("java.class.path"),
                                AskingAScript.class.getName(),
                                folder.toString())
                        .redirectErrorStream(true)
                        .start();
        String loaded = new String(runner.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(runner.waitFor()).as(loaded).isZero();
        assertThat(loaded)
                .contains("the model said hello", "ScriptedModel")
                .doesNotContain(
                        "dev.langchain4j",
                        "jackson",
                        "java.net.http",
                        "dev.skep.models.provider.Remote");
    }
}
