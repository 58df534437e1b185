package dev.zarrreactive.icechunk;

import static dev.zarrreactive.icechunk.SessionTree.GROUP;
import static dev.zarrreactive.icechunk.SessionTree.array;
import static dev.zarrreactive.icechunk.SessionTree.erase;
import static dev.zarrreactive.icechunk.SessionTree.put;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.icechunk.ObjectIds;
import dev.zarrreactive.internal.icechunk.SnapshotFile;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/**
 * Bytes of forks with wrong bytes in them, and a right checksum: each is read, or refused with a
 * place; no more memory is taken than the bytes can be worth.
 */
class MutatedForksTest {
  private static final int CHECKSUM = 4;
  private static final long MOST_MEMORY = 4 << 20;
  private static final int[] TELLING = {0, 1, 2, 0x7f, 0x80, 0xff, 0xfe, 0x40, 4, 8, 15};

  private final MemoryStore place = MemoryStore.create();
  private final IcechunkRepository repository =
      TestRepositories.create(place, "inline_chunk_threshold_bytes", 4);
  private final IcechunkSession session;
  private final Bytes state;
  private final Bytes changes;

  MutatedForksTest() {
    IcechunkSession first = await(repository.session("main"));
    put(first, "g/zarr.json", GROUP);
    put(first, "g/a/zarr.json", array(9));
    put(first, "g/a/c/0", "an object of a chunk");
    put(first, "b/zarr.json", array(9));
    await(first.commit("before"));
    session = await(repository.session("main"));
    put(session, "g/a/c/1", "an object of a chunk");
    put(session, "g/a/c/2", "2");
    erase(session, "b/zarr.json");
    put(session, "new/zarr.json", array(5));
    state = await(session.fork());
    IcechunkSession fork = await(repository.openFork(state));
    erase(fork, "g/a/c/0");
    erase(fork, "g/a/c/1");
    put(fork, "g/a/c/2", "an object of a chunk");
    put(fork, "g/a/c/3", "3");
    put(fork, "new/zarr.json", array(6));
    put(fork, "b/zarr.json", array(4));
    put(fork, "pending/c/0/1", "an object of a chunk");
    changes = await(fork.changes());
  }

  private static Bytes sealed(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, 0, bytes.length - CHECKSUM);
    ByteBuffer.wrap(bytes).putInt(bytes.length - CHECKSUM, (int) sum.getValue());
    return Bytes.wrap(bytes);
  }

  private interface Reading {
    void read(Bytes bytes);
  }

  private void mutate(Bytes original, Reading reading) {
    Random random = new Random(7);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    int refused = 0;
    int count = Cases.some(3_000, 60_000);
    for (int i = 0; i < count; i++) {
      byte[] bytes = mutated(original.toByteArray(), random);
      Bytes wrong = bytes.length < CHECKSUM ? Bytes.wrap(bytes) : sealed(bytes);
      refused += isRefused(wrong, reading) ? 1 : 0; // and loads classes
      long before = threads.getThreadAllocatedBytes(thread);
      isRefused(wrong, reading);
      assertThat(threads.getThreadAllocatedBytes(thread) - before)
          .as("mutation %s", i)
          .isLessThan(MOST_MEMORY);
    }
    assertThat(refused).isBetween(count / 3, count - 1);
  }

  private static boolean isRefused(Bytes bytes, Reading reading) {
    try {
      reading.read(bytes);
      return false;
    } catch (ZarrException e) {
      assertThat(e.getMessage()).isNotBlank();
      return true;
    }
  }

  private static byte[] mutated(byte[] original, Random random) {
    byte[] bytes = original;
    int kind = random.nextInt(8);
    if (kind == 0) {
      return Arrays.copyOf(bytes, random.nextInt(bytes.length));
    }
    if (kind == 1) {
      int at = random.nextInt(bytes.length);
      byte[] longer = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(9));
      System.arraycopy(bytes, at, longer, longer.length - bytes.length + at, bytes.length - at);
      return longer;
    }
    for (int i = 0; i <= random.nextInt(3); i++) {
      int at = 8 + random.nextInt(bytes.length - 8);
      int run = kind == 2 ? 1 + random.nextInt(9) : 1;
      for (int j = at; j < Math.min(bytes.length, at + run); j++) {
        bytes[j] =
            (byte)
                (random.nextBoolean()
                    ? TELLING[random.nextInt(TELLING.length)]
                    : random.nextInt(256));
      }
    }
    return bytes;
  }

  @Sampled
  @Test
  void a_state_with_wrong_bytes_is_read_or_refused() {
    SnapshotFile base =
        await(new RepositoryFiles(place, IcechunkOptions.defaults()).snapshot(session.snapshot()));
    ObjectIds ids = await(Sessions.ids());
    mutate(state, bytes -> ChangeSet.of(base, ids, ForkReader.state(bytes)));
  }

  @Sampled
  @Test
  void changes_with_wrong_bytes_are_merged_or_refused() {
    SnapshotFile base =
        await(new RepositoryFiles(place, IcechunkOptions.defaults()).snapshot(session.snapshot()));
    ObjectIds ids = await(Sessions.ids());
    mutate(
        changes,
        bytes -> {
          ForkChanges read = ForkReader.changes(bytes);
          ChangeSet into = ChangeSet.of(base, ids, ForkReader.state(state));
          into.use(
              () -> {
                Merge.run(into, read);
                return into.changedNodes().size() + into.view().nodes.size();
              });
        });
  }

  @Test
  void a_merge_that_is_refused_changes_nothing_and_the_right_one_follows() {
    Random random = new Random(3);
    for (int i = 0; i < 200; i++) {
      Bytes wrong = Bytes.wrap(mutated(changes.toByteArray(), random));
      if (!wrong.equals(changes)) {
        assertThat(errorOf(session.merge(wrong))).isInstanceOf(StoreException.class);
      }
    }
    await(session.merge(changes));
  }

  @Test
  void other_bytes_are_refused_by_what_they_are() {
    assertThat(errorOf(repository.openFork(Bytes.EMPTY)))
        .hasMessageContaining("these 0 bytes are not a fork of a session");
    assertThat(errorOf(repository.openFork(changes)))
        .hasMessageContaining("are not a fork of a session");
    assertThat(errorOf(session.merge(state))).hasMessageContaining("are not the changes of a fork");
    byte[] wrong = state.toByteArray();
    wrong[wrong.length - 1]++;
    assertThat(errorOf(repository.openFork(Bytes.wrap(wrong))))
        .hasMessageContaining("their checksum is wrong");
  }

  @Test
  void a_count_that_the_bytes_cannot_hold_is_refused_with_its_place() {
    byte[] bytes = changes.toByteArray();
    // magic, two ids and the clock; then the count of nodes that are gone
    bytes[8 + 24 + 1] = (byte) 0xff;
    bytes[8 + 24 + 2] = (byte) 0xff;
    bytes[8 + 24 + 3] = (byte) 0x7f;
    assertThatThrownBy(() -> ForkReader.changes(sealed(bytes)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("before byte 36 of ");
  }
}
