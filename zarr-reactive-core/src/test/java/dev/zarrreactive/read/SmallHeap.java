package dev.zarrreactive.read;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.zip.ZipStore;
import dev.zarrreactive.testing.JvmFigures;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import reactor.core.publisher.Mono;

/**
 * Reads and writes that need more memory than this JVM has, one after the other; prints how each
 * ended. The arrays are of bytes, in files with holes: stored elements are 0, missing ones 1.
 */
final class SmallHeap {
  static final int RIGHT = 1;
  static final int REFUSED = 2;
  static final int HUNG = 3;
  static final int OTHER = 4;

  private static final int MB = 1_000_000;
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final NamedConfiguration GZIP =
      NamedConfiguration.of("gzip", JsonObject.EMPTY.with("level", 1));
  private static final NamedConfiguration CRC = NamedConfiguration.of("crc32c");

  private final Path directory;
  private final ZarrHierarchy hierarchy;

  private SmallHeap(Path directory) {
    this.directory = directory;
    this.hierarchy = Zarr.hierarchy(FileSystemStore.open(directory));
  }

  /** The cases in the directory that is the argument. */
  public static void main(String[] arguments) throws IOException {
    new SmallHeap(Path.of(arguments[0])).run();
    System.exit(0);
  }

  private void run() throws IOException {
    array("small", 1 * MB, 4, 1 * MB);
    is("small_before", read("small", ":"));
    array("one300", 300 * MB, 1, 300 * MB);
    is("one_chunk_of_300_mb", read("one300", "7:12"));
    is("one_chunk_of_300_mb_streamed", chunks("one300"));
    array("four150", 150 * MB, 4, 150 * MB);
    is("four_chunks_of_150_mb_in_steps", read("four150", "::10485760"));
    is("four_chunks_of_150_mb_streamed", chunks("four150"));
    array("gzip400", 300 * MB, 1, 400 * MB, GZIP, CRC);
    is("gzip_of_400_mb", read("gzip400", ":5"));
    array("huge", 4, 1, 1_900L * MB);
    is("a_file_of_1900_mb_for_4_bytes", read("huge", ":"));
    is("a_file_of_1900_mb_for_4_bytes_in_part_written", write("huge", "1:3", 2));
    array("eight30", 30 * MB, 8, 30 * MB);
    is("eight_chunks_of_30_mb", read("eight30", "::1000003"));
    is("eight_chunks_of_30_mb_streamed", chunks("eight30"));
    is("a_result_of_240_mb", read("eight30", ":"));
    array("written", 300 * MB, 1, 0);
    is("a_chunk_of_300_mb_in_part_written", write("written", "1:3", 2));
    array("squeezed", 90 * MB, 1, 0, GZIP);
    is("a_chunk_of_90_mb_written", write("squeezed", "1:3", 2));
    is("an_entry_of_300_mb_for_4_bytes", zipped(300 * MB, 4));
    is("an_entry_of_300_mb", zipped(300 * MB, 300 * MB));
    is("small_after", read("small", ":"));
    is("small_streamed_after", chunks("small"));
    is("small_written_after", write("small", "5:10", 5));
    JvmFigures.print("bytes_in_flight", hierarchy.bytesInFlight());
  }

  private void array(
      String name, int chunk, int chunks, long stored, NamedConfiguration... compressors)
      throws IOException {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of((long) chunk * chunks), DataTypes.UINT8)
            .chunkShape(chunk)
            .fillValue(FillValue.of(DataTypes.UINT8, new byte[] {1}))
            .compressors(compressors);
    hierarchy.createArray(name, metadata.build()).block(PATIENCE);
    if (stored > 0) {
      Files.createDirectories(directory.resolve(name).resolve("c"));
      for (int i = 0; i < chunks; i++) {
        Path file = directory.resolve(name).resolve("c").resolve(Integer.toString(i));
        try (RandomAccessFile hole = new RandomAccessFile(file.toFile(), "rw")) {
          hole.setLength(stored);
        }
      }
    }
  }

  private ZarrArray open(String name) {
    return hierarchy.openArray(name).block(PATIENCE);
  }

  private Mono<Boolean> read(String name, String selection) {
    return open(name).read(Selection.parse(selection)).map(SmallHeap::isZero);
  }

  private Mono<Boolean> chunks(String name) {
    return open(name).chunks(Selection.all()).map(chunk -> isZero(chunk.data())).all(zero -> zero);
  }

  private Mono<Boolean> write(String name, String selection, int count) {
    NdArray zeros = NdArray.filled(Shape.of(count), FillValue.of(DataTypes.UINT8, new byte[1]));
    return open(name).write(Selection.parse(selection), zeros).thenReturn(true);
  }

  /** A read of one chunk in an archive. */
  private Mono<Boolean> zipped(int size, int chunk) throws IOException {
    array("zipped" + chunk, chunk, 1, 0);
    Path zip = directory.resolve(chunk + ".zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      out.setLevel(1);
      out.putNextEntry(new ZipEntry("a/zarr.json"));
      out.write(Files.readAllBytes(directory.resolve("zipped" + chunk).resolve("zarr.json")));
      out.putNextEntry(new ZipEntry("a/c/0"));
      for (int written = 0; written < size; written += MB) {
        out.write(new byte[MB]);
      }
      out.closeEntry();
    }
    Store store = ZipStore.open(zip).block(PATIENCE);
    return Zarr.hierarchy(store)
        .openArray("a")
        .flatMap(array -> array.read(Selection.parse(":4")))
        .map(SmallHeap::isZero);
  }

  private static boolean isZero(NdArray data) {
    byte[] bytes = data.bytes().unsafeArray();
    int from = data.bytes().unsafeOffset();
    for (int i = from; i < from + data.bytes().size(); i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }

  private static void is(String name, Mono<Boolean> operation) {
    int end;
    try {
      end = Boolean.TRUE.equals(operation.block(PATIENCE)) ? RIGHT : OTHER;
    } catch (ZarrException e) {
      System.out.println(name + ": " + e);
      end = REFUSED;
    } catch (IllegalStateException e) {
      System.out.println(name + ": " + e);
      end = HUNG;
    } catch (RuntimeException e) {
      e.printStackTrace(System.out);
      end = OTHER;
    }
    JvmFigures.print(name, end);
  }
}
