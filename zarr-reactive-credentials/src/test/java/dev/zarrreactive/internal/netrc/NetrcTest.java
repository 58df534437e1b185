package dev.zarrreactive.internal.netrc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of {@code .netrc} as curl and Python read them. */
class NetrcTest {
  private static final Netrc FILE =
      Netrc.parse(
          """
          # a comment
          machine one.example login me password a\\b
          machine two.example
            login you
            account x
            password "with space \\" and quote"
          macdef init
          machine three.example login never password never

          default login anybody password nothing
          """);

  private static String basic(String userAndPassword) {
    byte[] utf8 = userAndPassword.getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(utf8);
  }

  @Test
  void an_entry_is_found_by_its_machine_on_one_line_or_several() {
    assertThat(FILE.authorization("one.example")).isEqualTo(basic("me:a\\b"));
    assertThat(FILE.authorization("TWO.example")).isEqualTo(basic("you:with space \" and quote"));
  }

  @Test
  void a_macro_is_no_entry_and_the_default_is_for_all_others() {
    assertThat(FILE.authorization("three.example")).isEqualTo(basic("anybody:nothing"));
    assertThat(Netrc.parse("machine a login b password c").authorization("c")).isNull();
    assertThat(FILE.passwords()).hasSize(3).doesNotContain("never");
  }

  @Test
  void a_file_that_ends_early_or_holds_anything_else_has_no_entry() {
    for (String file : new String[] {"", "machine", "machine a login", "\"", "\\", "login a b"}) {
      assertThat(Netrc.parse(file).authorization("a")).isNull();
    }
  }

  @Test
  void a_file_that_others_may_read_is_refused(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("netrc"), "machine a login b password s3cret");
    assumeTrue(file.getFileSystem().supportedFileAttributeViews().contains("posix"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatIOException()
        .isThrownBy(() -> Netrc.read(file))
        .withMessageContaining("chmod 600")
        .withMessageNotContaining("s3cret");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThat(Netrc.read(file).authorization("a")).isEqualTo(basic("b:s3cret"));
  }
}
