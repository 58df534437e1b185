package dev.zarrreactive.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.partial.PartialNames;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileKeysTest {
  private final Path base = Path.of("base").toAbsolutePath();
  private final FileKeys here = new FileKeys(base);
  private final FileKeys windows = new FileKeys(base, true);

  @Test
  void a_key_is_a_path_below_the_base() {
    assertThat(here.file(StoreKey.of("a/b/c")))
        .isEqualTo(base.resolve("a").resolve("b").resolve("c"));
    assertThat(here.directory(StorePrefix.of("a/b/"))).isEqualTo(base.resolve("a").resolve("b"));
    assertThat(here.directory(StorePrefix.ROOT)).isEqualTo(base);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "..\\secret",
        "a/..\\..\\secret",
        "c:secret",
        "c:/secret",
        "a:stream",
        "a/b.",
        "a /b",
        "CON",
        "a/nul.txt",
        "com1",
        "what?",
        "a*",
        "\"quoted\"",
        "a|b",
        "<a>",
        "line\nbreak",
      })
  void names_that_windows_takes_for_something_else_are_refused_there(String key) {
    assertThatThrownBy(() -> windows.file(StoreKey.of(key)))
        .isInstanceOfSatisfying(
            StoreException.class, error -> assertThat(error.location().storeKey()).isEqualTo(key))
        .hasMessageContaining("Windows");
    assertThatThrownBy(() -> windows.directory(StorePrefix.of(key + "/")))
        .isInstanceOf(StoreException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      value = {
        "a/what? -> it has the character ?",
        "c:x -> it has the character :",
        "tab\there -> it has the control character U+0009",
        "a. -> it ends in a dot",
        "'a /b' -> it ends in a blank",
        "LPT\u00b9.txt -> it is that of a device",
        "conin$ -> it is that of a device",
      })
  void the_refusal_says_which_rule_of_windows_the_name_breaks(String key, String rule) {
    assertThatThrownBy(() -> windows.file(StoreKey.of(key)))
        .hasMessageContaining("Windows has no file of the name")
        .hasMessageContaining(rule)
        .hasMessageContaining("(key " + key + ")");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"zarr.json", "c/0/1", ".zattrs", "console", "com10", "coma", "a b", "..a"})
  void usual_names_are_let_through_on_windows(String key) {
    assertThat(windows.file(StoreKey.of(key))).isEqualTo(base.resolve(key));
  }

  @Test
  void names_of_files_that_are_being_written_are_no_keys() {
    String name = PartialNames.next();
    assertThat(PartialNames.isHidden(name)).isTrue();
    assertThat(PartialNames.isLock(name)).isFalse();
    for (String key : new String[] {name, "a/" + name, name + "/b", ".zarr-partial-x"}) {
      assertThatThrownBy(() -> here.file(StoreKey.of(key)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("use another name");
    }
    assertThat(here.file(StoreKey.of("a.zarr-partial-x"))).isNotNull();
  }

  @Test
  void temporary_names_do_not_repeat_and_do_not_grow_with_the_key() {
    assertThat(PartialNames.next()).hasSize(39).isNotEqualTo(PartialNames.next());
  }
}
