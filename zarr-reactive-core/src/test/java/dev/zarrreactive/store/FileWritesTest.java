package dev.zarrreactive.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way of creating a value where there are no hard links. */
class FileWritesTest {
  @Test
  void a_free_name_is_taken(@TempDir Path directory) throws IOException {
    Path temporary = Files.writeString(directory.resolve("temporary"), "new");
    FileWrites.claim(temporary, directory.resolve("value"));
    assertThat(directory.resolve("value")).hasContent("new");
    assertThat(temporary).doesNotExist();
  }

  @Test
  void a_taken_name_is_left_as_it_is(@TempDir Path directory) throws IOException {
    Path temporary = Files.writeString(directory.resolve("temporary"), "new");
    Path value = Files.writeString(directory.resolve("value"), "old");
    assertThatThrownBy(() -> FileWrites.claim(temporary, value))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(value).hasContent("old");
  }
}
