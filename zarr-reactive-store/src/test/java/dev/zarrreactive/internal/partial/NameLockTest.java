package dev.zarrreactive.internal.partial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NameLockTest {
  @TempDir Path directory;

  @Test
  void to_publish_a_value_releases_the_lock() throws IOException {
    Path file = Files.writeString(directory.resolve("0"), "old");
    try (PartialFile mine = written(directory)) {
      boolean isMade =
          NameLock.whileHeld(
              file,
              mine,
              held -> {
                assertThat(NameLock.of(file)).hasContent("new");
                assertThat(isHeldByAnother(file)).isTrue();
                held.replace(file);
                assertThat(isHeldByAnother(file)).isFalse();
              });
      assertThat(isMade).isTrue();
    }
    assertThat(file).hasContent("new");
    assertThat(directory.toFile().list()).containsExactly("0");
  }

  @Test
  void a_change_that_fails_releases_the_lock() throws IOException {
    Path file = Files.writeString(directory.resolve("0"), "old");
    try (PartialFile mine = written(directory)) {
      NameLock.Change fails =
          held -> {
            throw new IOException("fails");
          };
      assertThatThrownBy(() -> NameLock.whileHeld(file, mine, fails)).hasMessage("fails");
      assertThat(isHeldByAnother(file)).isFalse();
    }
    assertThat(directory.toFile().list()).containsExactly("0");
  }

  @Test
  void names_that_may_be_one_file_share_a_lock() {
    Path file = directory.resolve("Gr\u00fcn");
    assertThat(NameLock.of(directory.resolve("gr\u00fcn"))).isEqualTo(NameLock.of(file));
    assertThat(NameLock.of(directory.resolve("gru\u0308n"))).isEqualTo(NameLock.of(file));
    assertThat(NameLock.of(directory.resolve("blau"))).isNotEqualTo(NameLock.of(file));
  }

  @Test
  void where_files_have_no_second_names_the_lock_is_an_empty_file() throws IOException {
    Path elsewhere = Path.of("/dev/shm");
    assumeTrue(
        Files.isWritable(elsewhere)
            && !Files.getFileStore(elsewhere).equals(Files.getFileStore(directory)),
        "there is a second file system, to which no link leads");
    Path file = Files.writeString(directory.resolve("0"), "old");
    try (PartialFile mine = written(elsewhere)) {
      NameLock.whileHeld(
          file,
          mine,
          held -> {
            assertThat(NameLock.of(file)).isEmptyFile();
            assertThat(isHeldByAnother(file)).isTrue();
            held.replace(file);
          });
    }
    assertThat(file).hasContent("new");
    assertThat(directory.toFile().list()).containsExactly("0");
  }

  private static PartialFile written(Path directory) throws IOException {
    PartialFile mine = PartialFile.create(directory);
    mine.channel().write(ByteBuffer.wrap(new byte[] {'n', 'e', 'w'}));
    mine.settle(() -> {});
    return mine;
  }

  /** The lock of threads is this thread's already: what is tried is the lock of processes. */
  private boolean isHeldByAnother(Path file) throws IOException {
    try (PartialFile other = written(directory)) {
      return !NameLock.whileHeld(file, other, held -> {});
    }
  }
}
