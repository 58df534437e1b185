package dev.zarrreactive.credentials;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The lines of {@code .netrc} as curl and Python read them. */
class NetrcTest {
  private static final String FILE =
      """
      # a comment
      machine one.example login me password s3cret
      machine two.example
        login you
        account x
        password "with space \\" and quote"
      macdef init
      machine three.example login never password never

      default login anybody password nothing
      """;

  @Test
  void an_entry_is_found_by_its_machine_on_one_line_or_several() {
    assertThat(Netrc.find(FILE, "one.example")).isEqualTo(new Netrc("me", "s3cret"));
    assertThat(Netrc.find(FILE, "TWO.example"))
        .isEqualTo(new Netrc("you", "with space \" and quote"));
  }

  @Test
  void a_macro_is_no_entry_and_the_default_is_for_all_others() {
    assertThat(Netrc.find(FILE, "three.example")).isEqualTo(new Netrc("anybody", "nothing"));
    assertThat(Netrc.find("machine a login b", "c")).isNull();
  }

  @Test
  void a_file_that_ends_early_or_holds_anything_else_has_no_entry() {
    for (String file : new String[] {"", "machine", "machine a login", "\"", "\\", "login a b"}) {
      assertThat(Netrc.find(file, "x")).isNull();
    }
    assertThat(Netrc.find("machine a login", "a")).isEqualTo(new Netrc("", ""));
  }

  @Test
  void an_entry_shows_no_password() {
    assertThat(Netrc.find(FILE, "one.example")).hasToString("Netrc[me]");
  }
}
