package dev.zarrreactive.internal.icechunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.google.flatbuffers.FlatBufferBuilder;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Files of repositories by Python, with wrong bytes in them: each is read, or refused with the key
 * of the file.
 */
class MutatedFilesTest {
  private static final int HEADER = FileEnvelope.HEADER;
  private static final int COMPRESSION_AT = 38;
  private static final long MAX_BYTES = 1 << 26;
  private static final int[] TELLING = {
    0, 1, 2, 3, 4, 7, 8, -1, -4, Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << 16, 1 << 24, 255
  };

  private static final List<Original> SNAPSHOTS = new ArrayList<>();
  private static final List<Original> MANIFESTS = new ArrayList<>();
  private static final List<Original> REPOS = new ArrayList<>();
  private static final List<Original> TRANSACTIONS = new ArrayList<>();

  /** A file as Python wrote it, and without compression. */
  private record Original(String key, byte[] stored, byte[] plain) {}

  @BeforeAll
  static void read_repositories() throws IOException {
    try (InputStream in =
            MutatedFilesTest.class.getResourceAsStream(
                "/dev/zarrreactive/icechunk/repositories.zip");
        ZipInputStream zip = new ZipInputStream(Objects.requireNonNull(in))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        String name = entry.getName();
        String key = name.substring(name.indexOf('/') + 1);
        List<Original> kind = kind(key);
        if (kind != null && !entry.isDirectory()) {
          byte[] stored = zip.readAllBytes();
          kind.add(new Original(key, stored, plain(stored)));
        }
      }
    }
    assertThat(List.of(SNAPSHOTS.size(), MANIFESTS.size(), REPOS.size(), TRANSACTIONS.size()))
        .allMatch(count -> count > 10);
  }

  private static @Nullable List<Original> kind(String key) {
    if (key.equals("repo")) {
      return REPOS;
    }
    return switch (key.substring(0, key.indexOf('/') + 1)) {
      case "snapshots/" -> SNAPSHOTS;
      case "manifests/" -> MANIFESTS;
      case "transactions/" -> TRANSACTIONS;
      default -> null;
    };
  }

  private static byte[] plain(byte[] stored) {
    byte[] payload = Zstd.decompress(Arrays.copyOfRange(stored, HEADER, stored.length), 1 << 24);
    return uncompressed(Arrays.copyOf(stored, HEADER), payload);
  }

  private static byte[] uncompressed(byte[] header, byte[] payload) {
    header[COMPRESSION_AT] = 0;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(header);
    out.writeBytes(payload);
    return out.toByteArray();
  }

  /** Reads all of a file. */
  private interface Reading {
    void read(Bytes file, String key);
  }

  @Sampled
  @Test
  void a_snapshot_with_wrong_bytes_is_read_or_refused() {
    mutate(SNAPSHOTS, MutatedFilesTest::readSnapshot);
  }

  @Sampled
  @Test
  void a_manifest_with_wrong_bytes_is_read_or_refused() {
    mutate(MANIFESTS, MutatedFilesTest::readManifest);
  }

  @Sampled
  @Test
  void the_info_of_a_repository_with_wrong_bytes_is_read_or_refused() {
    mutate(REPOS, MutatedFilesTest::readRepo);
  }

  @Sampled
  @Test
  void a_transaction_log_with_wrong_bytes_is_read_or_refused() {
    mutate(TRANSACTIONS, MutatedFilesTest::readTransaction);
  }

  private static void mutate(List<Original> originals, Reading reading) {
    int refused = 0;
    int count = Cases.some(15_000, 150_000);
    for (int seed = 0; seed < count; seed++) {
      Random random = new Random(seed);
      Original original = originals.get(random.nextInt(originals.size()));
      boolean isFrame = random.nextInt(10) == 0;
      byte[] mutant =
          mutant(isFrame ? original.stored() : original.plain(), random, isFrame ? 0 : HEADER);
      try {
        reading.read(Bytes.wrap(mutant), original.key());
      } catch (ZarrException e) {
        refused++;
        assertThat(e.location().storeKey()).isEqualTo(original.key());
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + seed + " of " + original.key(), e);
      }
    }
    assertThat(refused).as("mutants that were refused").isBetween(count / 20, count - 1);
    originals.forEach(each -> reading.read(Bytes.wrap(each.stored()), each.key()));
    originals.forEach(each -> reading.read(Bytes.wrap(each.plain()), each.key()));
  }

  private static byte[] mutant(byte[] original, Random random, int from) {
    byte[] mutant = original.clone();
    int room = mutant.length - from;
    for (int change = random.nextInt(4); change >= 0; change--) {
      int at = from + random.nextInt(room);
      switch (random.nextInt(5)) {
        case 0 -> mutant[at] = (byte) random.nextInt();
        case 1 -> mutant[at] ^= (byte) (1 << random.nextInt(8));
        case 2, 3 -> {
          int place = from + 4 * random.nextInt(Math.max(1, room / 4));
          if (place + 4 <= mutant.length) {
            int telling = TELLING[random.nextInt(TELLING.length)];
            int value =
                random.nextInt(3) == 0 ? random.nextInt(2 * room) - random.nextInt(room) : telling;
            ByteBuffer.wrap(mutant).order(ByteOrder.LITTLE_ENDIAN).putInt(place, value);
          }
        }
        default -> {
          if (random.nextInt(4) == 0) {
            return Arrays.copyOf(mutant, at);
          }
          int length = Math.min(random.nextInt(16), mutant.length - at);
          System.arraycopy(original, from + random.nextInt(room - length + 1), mutant, at, length);
        }
      }
    }
    return mutant;
  }

  private static void readSnapshot(Bytes file, String key) {
    SnapshotFile snapshot = SnapshotFile.read(file, key, MAX_BYTES);
    assertThat(snapshot.entry().toString()).isNotEmpty();
    assertThat(snapshot.disorders()).isNotNull();
    assertThat(snapshot.manifestFiles()).isNotNull();
    for (int node = 0; node < snapshot.size(); node++) {
      String path = snapshot.pathOf(node);
      assertThat(snapshot.document(node)).isNotNull();
      assertThat(snapshot.ceiling(path)).isLessThanOrEqualTo(snapshot.size());
      if (snapshot.isArray(node)) {
        SnapshotFile.ArrayNode array = snapshot.array(node);
        int[] index = new int[array.rank()];
        array.has(index);
        array.isCoordinate(path.substring(1));
        for (int i = 0; i < array.manifests(); i++) {
          array.mayHave(i, index);
          array.overlapping(i);
        }
        array.manifestOf(index, 0);
      }
    }
  }

  private static void readManifest(Bytes file, String key) {
    ManifestFile manifest = ManifestFile.read(file, key, MAX_BYTES);
    for (long node : manifest.nodes()) {
      ManifestFile.References references = manifest.of(node);
      for (int at = 0; references != null && at < references.size(); at++) {
        int[] index = references.indexAt(at);
        assertThat(references.find(index)).isEqualTo(at);
        references.length(at);
        try {
          assertThat(references.reference(at)).isNotNull();
        } catch (ZarrException e) {
          assertThat(e.location().storeKey()).isEqualTo(key);
        }
      }
    }
  }

  private static void readRepo(Bytes file, String key) {
    RepoFile repo = RepoFile.read(file, MAX_BYTES);
    for (int place = 0; place < repo.size(); place++) {
      assertThat(repo.entry(place)).isNotNull();
      repo.find(repo.id(place));
    }
    repo.metadata();
    repo.config();
    repo.disabledFeatures();
    assertThat(repo.branches().values()).allMatch(place -> place < repo.size());
  }

  private static void readTransaction(Bytes file, String key) {
    TransactionFile log = TransactionFile.read(file, key, MAX_BYTES);
    for (TransactionFile.Nodes list : TransactionFile.Nodes.values()) {
      assertThat(log.nodes(list)).isNotNull();
    }
    assertThat(log.chunks()).isNotNull();
    assertThat(log.moved()).isNotNull();
    assertThat(log.disorders()).isNotNull();
    log.isEmpty();
  }

  @Test
  void a_vector_that_leads_to_one_node_a_million_times_costs_little() {
    Original original = SNAPSHOTS.get(0);
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int path = builder.createString("/" + "x".repeat(1000));
    int document = builder.createByteVector(new byte[] {'{', '}'});
    builder.startTable(0);
    int data = builder.endTable();
    builder.startTable(6);
    builder.addStruct(0, id(builder, 8), 0);
    builder.addOffset(1, path, 0);
    builder.addOffset(2, document, 0);
    builder.addByte(3, (byte) 2, 0);
    builder.addOffset(4, data, 0);
    int node = builder.endTable();
    builder.startVector(4, 1_000_000, 4);
    for (int i = 0; i < 1_000_000; i++) {
      builder.addOffset(node);
    }
    int nodes = builder.endVector();
    builder.startVector(4, 0, 4);
    int none = builder.endVector();
    int message = builder.createString("");
    builder.startTable(7);
    builder.addStruct(0, id(builder, 12), 0);
    builder.addOffset(2, nodes, 0);
    builder.addOffset(4, message, 0);
    builder.addOffset(5, none, 0);
    builder.finish(builder.endTable(), "Ichk");
    Bytes file =
        Bytes.wrap(
            uncompressed(Arrays.copyOf(original.stored(), HEADER), builder.sizedByteArray()));
    assertThatThrownBy(() -> SnapshotFile.read(file, "snapshots/" + "0".repeat(20), MAX_BYTES))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("paths that are longer than the file");
  }

  private static int id(FlatBufferBuilder builder, int length) {
    builder.prep(1, length);
    for (int i = 0; i < length; i++) {
      builder.putByte((byte) 0);
    }
    return builder.offset();
  }

  @Test
  void a_value_that_leads_to_itself_or_to_one_part_many_times_is_refused() {
    byte[] bomb = new byte[2 + 60 * 42];
    // sixty vectors of twenty elements, each of which is the vector before it
    int at = 1;
    for (int level = 0; level < 60; level++) {
      bomb[at] = 20;
      for (int i = 1; i <= 20; i++) {
        bomb[at + i] = level == 0 ? 0 : (byte) (i + 41);
        bomb[at + 20 + i] = (byte) (level == 0 ? 4 : 10 << 2);
      }
      at += 42;
    }
    byte[] whole = Arrays.copyOf(bomb, at + 3);
    whole[at] = 41;
    whole[at + 1] = 10 << 2;
    whole[at + 2] = 1;
    assertThatThrownBy(() -> flex(whole))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("metadata of more than");
    // a vector whose only element is itself
    byte[] circle = {1, 0, 10 << 2, 2, 10 << 2, 1};
    assertThatThrownBy(() -> flex(circle))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("nested more than");
    byte[] deep = new byte[1000];
    Arrays.fill(deep, (byte) 0x91);
    assertThatThrownBy(() -> MessagePack.read(Bytes.wrap(deep), budget()))
        .hasMessageContaining("nested more than");
  }

  private static DecodingBudget budget() {
    return new DecodingBudget(IllegalStateException::new);
  }

  private static void flex(byte[] bytes) {
    FlexBuffer.read(Bytes.wrap(bytes), budget());
  }
}
