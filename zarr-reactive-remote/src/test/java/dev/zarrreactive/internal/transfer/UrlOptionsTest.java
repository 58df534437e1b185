package dev.zarrreactive.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The options of a store that is opened by its URL. */
class UrlOptionsTest {
  private static final UrlOptions<Map<String, Object>> OPTIONS =
      new UrlOptions<Map<String, Object>>("a store of tests")
          .text("text", (builder, value) -> builder.put("text", value))
          .flag("flag", (builder, value) -> builder.put("flag", value))
          .number("number", (builder, value) -> builder.put("number", value))
          .duration("time", (builder, value) -> builder.put("time", value))
          .texts("head.", "NAME", (builder, name, value) -> builder.put("head of " + name, value));

  private final Map<String, Object> builder = new TreeMap<>();

  private Store open(String... namesAndValues) {
    StoreOptions options = StoreOptions.none();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      options = options.with(namesAndValues[i], namesAndValues[i + 1]);
    }
    return OPTIONS
        .open(
            URI.create("test://x"),
            options,
            uri -> builder,
            set -> Stores.stack(MemoryStore.create()))
        .block(Duration.ofSeconds(60));
  }

  @Test
  void each_option_sets_a_value_of_its_kind() {
    open("text", "a", "flag", "true", "number", "7", "time", "PT5S", "head.x", "b");
    assertThat(builder)
        .isEqualTo(
            Map.of(
                "text",
                "a",
                "flag",
                true,
                "number",
                7,
                "time",
                Duration.ofSeconds(5),
                "head of x",
                "b"));
  }

  @Test
  void requests_are_repeated_unless_the_option_retry_is_false() {
    assertThat(open().toString()).startsWith("RetryingStore[");
    assertThat(open("retry", "true").toString()).startsWith("RetryingStore[");
    assertThat(open("retry", "false").toString()).startsWith("MemoryStore[");
  }

  @Test
  void an_unknown_option_is_an_error_that_lists_all_options_and_shows_no_value() {
    for (String name : new String[] {"other", "head.", "head"}) {
      assertThatThrownBy(() -> open(name, "s3cret"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "not an option of a store of tests: "
                  + name
                  + "; the options are text, flag, number, time, head.NAME and retry");
    }
  }

  @Test
  void a_source_of_credentials_is_named_and_its_settings_belong_to_it() {
    assertThatThrownBy(() -> open("credentials", "vault"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"vault\"");
    assertThatThrownBy(() -> open("credentials.token", "s3cret"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the option credentials names the source that [token] set");
  }

  @Test
  void a_value_of_another_kind_is_an_error_that_names_the_option() {
    assertThatThrownBy(() -> open("number", "many")).hasMessageContaining("number is a number");
    assertThatThrownBy(() -> open("flag", "maybe")).hasMessageContaining("flag is true or false");
  }
}
