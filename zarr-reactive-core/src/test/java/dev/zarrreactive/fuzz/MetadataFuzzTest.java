package dev.zarrreactive.fuzz;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.fuzz.Fuzzing.Notes;
import dev.zarrreactive.interop.Fixture;
import dev.zarrreactive.interop.Fixtures;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ConsolidatedMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.testing.Sampled;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.scheduler.Schedulers;

/** Opens nodes whose documents were changed, and reads them where they are small. */
class MetadataFuzzTest {
  private static final BigInteger MOST_BYTES_READ = BigInteger.valueOf(1 << 20);
  private static final int MOST_NODES = 100;

  /** Each may be an inner chunk, which takes some kilobytes to plan and to ask for. */
  private static final BigInteger MOST_ELEMENTS_READ = BigInteger.valueOf(1 << 15);

  private final List<FuzzStore> stores = new ArrayList<>();
  private final JsonMutation mutation = new JsonMutation();

  @Sampled
  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS) // as long as the user likes
  void every_changed_document_is_read_or_refused_with_a_located_error() {
    Stream.concat(Fixtures.good().stream(), Fixtures.bad().stream())
        .filter(Fixture::isDirectory)
        .map(FuzzStore::of)
        .filter(FuzzStore::hasDocuments)
        .forEach(this::add);
    Fuzzing.run("Metadata", this::attempt);
  }

  private void add(FuzzStore store) {
    stores.add(store);
    for (String key : store.documents()) {
      JsonValue document = parsed(store.value(key));
      if (document != null) {
        mutation.learn(document);
      }
    }
  }

  private static JsonValue parsed(byte[] document) {
    try {
      return JsonDocument.parse(ByteBuffer.wrap(document), Location.UNKNOWN).value();
    } catch (ZarrException e) {
      return null;
    }
  }

  private void attempt(Random random, Notes notes) {
    FuzzStore store = stores.get(random.nextInt(stores.size()));
    String key = store.document(random);
    byte[] document = store.value(key);
    JsonValue parsed = random.nextInt(3) == 0 ? null : parsed(document);
    if (parsed != null) {
      String text = mutation.of(parsed, random).toString();
      document = text.getBytes(StandardCharsets.UTF_8);
    }
    if (parsed == null || random.nextInt(16) == 0) {
      FuzzStore other = stores.get(random.nextInt(stores.size()));
      document = ByteMutation.of(document, other.value(other.document(random)), random);
    }
    notes.say(store + ", " + key);
    notes.say(new String(document, StandardCharsets.UTF_8));
    notes.expect(4L * document.length);
    String path = key.substring(0, Math.max(0, key.lastIndexOf('/')));
    store.with(key, document, changed -> open(changed, path, notes));
  }

  private static void open(Store store, String path, Notes notes) {
    ZarrHierarchy hierarchy =
        Zarr.hierarchy(store, ZarrOptions.defaults().withCodecScheduler(Schedulers.immediate()));
    ZarrNode node = hierarchy.open(path).block();
    if (node instanceof ZarrArray array) {
      use(array, notes);
    } else if (node instanceof ZarrGroup group) {
      use(group);
    }
  }

  private static void use(ZarrArray array, Notes notes) {
    array.toString();
    array.metadata().document().toString();
    BigInteger chunks = array.chunkGrid().gridShape().elementCount();
    BigInteger elements =
        chunks
            .multiply(array.chunkGrid().largestChunkShape().elementCount())
            .add(array.shape().elementCount());
    BigInteger bytes = elements.multiply(BigInteger.valueOf(array.dataType().memorySize()));
    if (bytes.compareTo(MOST_BYTES_READ) <= 0
        && elements.compareTo(MOST_ELEMENTS_READ) <= 0
        && chunks.bitLength() <= 10) {
      notes.expect(bytes.longValue());
      array.read(Selection.all()).block();
    }
  }

  private static void use(ZarrGroup group) {
    ConsolidatedMetadata consolidated = group.metadata().consolidated();
    if (consolidated != null) {
      consolidated.paths().forEach(consolidated::get);
    }
    group.tree().take(MOST_NODES).collectList().block();
  }
}
