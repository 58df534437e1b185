package dev.zarrreactive.cli;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Arrays in directories. */
public final class TestArrays {
  private TestArrays() {}

  /** Creates an array in {@code directory}; nothing is written. */
  public static ZarrArray create(
      Path directory, Shape shape, DataType type, UnaryOperator<ArrayMetadataBuilder> settings) {
    return Zarr.hierarchy(FileSystemStore.open(directory))
        .createArray("", settings.apply(ArrayMetadata.v3(shape, type).uncompressed()).build())
        .block();
  }

  /** Creates an array in {@code directory} with these elements. */
  public static NdArray write(
      Path directory, NdArray data, UnaryOperator<ArrayMetadataBuilder> settings) {
    create(directory, data.shape(), data.dataType(), settings).write(Selection.all(), data).block();
    return data;
  }

  /** Copies a directory with everything in it, sooner than the command does. */
  public static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  /** Elements whose bytes count upwards. */
  public static NdArray counting(DataType type, Shape shape) {
    byte[] bytes = new byte[shape.byteSize(type.itemSize())];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 7 + i / 251);
    }
    return NdArray.wrap(type, shape, Bytes.wrap(bytes));
  }
}
