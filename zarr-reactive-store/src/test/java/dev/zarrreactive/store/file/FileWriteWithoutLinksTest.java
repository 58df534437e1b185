package dev.zarrreactive.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.internal.partial.NameLock;
import dev.zarrreactive.store.Precondition;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link Precondition#ABSENT} on a file system that has no hard links, such as FAT. */
class FileWriteWithoutLinksTest {
  private static final StoreKey KEY = StoreKey.of("a/c/0");
  private static final Bytes NEW = Bytes.utf8("new");

  @TempDir private Path base;
  private FileKeys keys;
  private Path file;

  @BeforeEach
  void files() {
    keys = new FileKeys(base);
    file = keys.file(KEY);
  }

  private static void unsupported(Path name, Path existing) {
    throw new UnsupportedOperationException();
  }

  private static void refused(Path name, Path existing) throws IOException {
    throw new FileSystemException(name.toString(), null, "Operation not permitted");
  }

  private void create(Bytes value, FileWrite.HardLinks links) throws IOException {
    FileWrite write =
        new FileWrite(keys, KEY, value, Precondition.ABSENT, links, NameLock::replace);
    while (!write.attempt()) {
      Thread.onSpinWait(); // another thread holds the lock of the name
    }
  }

  private void assertOnlyTheValueIsThere() throws IOException {
    try (Stream<Path> files = Files.list(file.getParent())) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void a_missing_value_is_created() throws IOException {
    create(NEW, FileWriteWithoutLinksTest::unsupported);
    assertThat(file).hasContent("new");
    assertOnlyTheValueIsThere();
  }

  @Test
  void a_link_that_the_system_refuses_is_no_link() throws IOException {
    create(NEW, FileWriteWithoutLinksTest::refused);
    assertThat(file).hasContent("new");
    assertOnlyTheValueIsThere();
  }

  @Test
  void a_value_that_is_there_stays() throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "old");
    assertThatExceptionOfType(PreconditionFailedException.class)
        .isThrownBy(() -> create(NEW, FileWriteWithoutLinksTest::unsupported));
    assertThat(file).hasContent("old");
    assertOnlyTheValueIsThere();
  }

  @Test
  void a_value_that_appears_at_the_last_moment_stays() throws IOException {
    assertThatExceptionOfType(PreconditionFailedException.class)
        .isThrownBy(
            () ->
                create(
                    NEW,
                    (name, existing) -> {
                      Files.writeString(name, "other");
                      throw new UnsupportedOperationException();
                    }));
    assertThat(file).hasContent("other");
    assertOnlyTheValueIsThere();
  }

  @Test
  void an_empty_directory_gives_way() throws IOException {
    Files.createDirectories(file);
    create(NEW, FileWriteWithoutLinksTest::unsupported);
    assertThat(file).hasContent("new");
    assertOnlyTheValueIsThere();
  }

  @Test
  void a_write_that_fails_leaves_no_empty_value() throws IOException {
    AtomicInteger rounds = new AtomicInteger();
    create(
        NEW,
        (name, existing) -> {
          if (rounds.getAndIncrement() == 0) { // another program empties the directory
            try (Stream<Path> hidden = Files.list(name.getParent())) {
              for (Path each : hidden.toList()) {
                Files.delete(each);
              }
            }
          }
          throw new UnsupportedOperationException();
        });
    assertThat(rounds).hasValue(2);
    assertThat(file).hasContent("new");
    assertOnlyTheValueIsThere();
  }

  @Test
  void one_of_several_writers_creates_the_value() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (int round = 0; round < 50; round++) {
        Files.deleteIfExists(file);
        List<Callable<Boolean>> writers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          Bytes mine = Bytes.utf8("writer " + i);
          writers.add(() -> creates(mine));
        }
        List<Integer> winners = new ArrayList<>();
        List<Future<Boolean>> ends = threads.invokeAll(writers);
        for (int i = 0; i < ends.size(); i++) {
          if (ends.get(i).get()) {
            winners.add(i);
          }
        }
        assertThat(winners).hasSize(1);
        assertThat(file).hasContent("writer " + winners.get(0));
        assertOnlyTheValueIsThere();
      }
    } finally {
      threads.shutdown();
    }
  }

  private boolean creates(Bytes value) throws IOException {
    try {
      create(value, FileWriteWithoutLinksTest::unsupported);
      return true;
    } catch (PreconditionFailedException e) {
      return false;
    }
  }
}
