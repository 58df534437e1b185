package dev.zarrreactive;

import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** A program that opens hostile metadata in a JVM of its own and prints what each one ends in. */
final class HostileMetadataInSmallHeap {
  private static final Duration LONG = Duration.ofSeconds(100);

  private static final String GROUP = "{\"zarr_format\":3,\"node_type\":\"group\"";

  private static final StoreKey METADATA = StoreKey.of("zarr.json");

  private final MemoryStore store = MemoryStore.create();

  private HostileMetadataInSmallHeap() {}

  /**
   * The command that runs it with a heap of 64 MiB. The serial collector moves large arrays, so
   * that the program's own documents always find room.
   */
  static List<String> command() {
    return List.of(
        System.getProperty("java.home") + "/bin/java",
        "-Xmx64m",
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"),
        HostileMetadataInSmallHeap.class.getName());
  }

  public static void main(String[] arguments) {
    HostileMetadataInSmallHeap program = new HostileMetadataInSmallHeap();
    program.open("a long text", GROUP + ",\"attributes\":{\"x\":\"", 1, "x", 15_000_000, "\"}}");
    program.open("a long name", GROUP + ",\"attributes\":{\"", 1, "x", 15_000_000, "\":1}}");
    program.open("too large", GROUP, 1, " ", 17_000_000, "}");
    program.open("numbers", GROUP + ",\"attributes\":{\"x\":[", 2, "1,", 7_000_000, "1]}}");
    program.open("objects", GROUP + ",\"attributes\":{\"x\":[", 3, "{},", 4_000_000, "1]}}");
    program.open(
        "edges",
        "{\"zarr_format\":3,\"node_type\":\"array\",\"shape\":[500000],\"data_type\":\"uint8\","
            + "\"fill_value\":7,\"chunk_key_encoding\":{\"name\":\"default\"},"
            + "\"codecs\":[{\"name\":\"bytes\"}],\"chunk_grid\":{\"name\":\"rectilinear\","
            + "\"configuration\":{\"kind\":\"inline\",\"chunk_shapes\":[[",
        2,
        "1,",
        500_000,
        "1]]}}}");
    program.open("a small one", GROUP, 0, "", 0, "}");
    System.exit(0); // no thread that is stuck keeps the program alive
  }

  /** Opens a document with {@code count} times {@code middle} in it. */
  private void open(String name, String begin, int width, String middle, int count, String end) {
    store.erase(METADATA).block(LONG); // the document before makes room for this one
    byte[] first = begin.getBytes(StandardCharsets.UTF_8);
    byte[] last = end.getBytes(StandardCharsets.UTF_8);
    byte[] unit = middle.getBytes(StandardCharsets.UTF_8);
    byte[] document = Arrays.copyOf(first, first.length + width * count + last.length);
    for (int i = 0; i < width * count; i++) {
      document[first.length + i] = unit[i % width];
    }
    System.arraycopy(last, 0, document, document.length - last.length, last.length);
    store.set(METADATA, Bytes.wrap(document)).block(LONG);
    System.out.println(name + "=" + outcome());
  }

  private String outcome() {
    try {
      ZarrNode node = Zarr.hierarchy(store).open("").block(LONG);
      return node instanceof ZarrArray array ? "array " + values(array) : "group";
    } catch (ZarrException e) {
      return e.getClass().getSimpleName();
    }
  }

  private static String values(ZarrArray array) {
    return Arrays.toString(
        Objects.requireNonNull(array.read(Selection.parse("0:2")).block(LONG)).toIntArray());
  }
}
