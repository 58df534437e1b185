package dev.zarrreactive.benchmarks.compare;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * This client as a process that answers the lines of {@link PeerProcess}. Each read is one of a
 * hierarchy that was just opened, so that it finds nothing in a cache but connections.
 */
public final class ReactivePeer {
  private static final int AT_ONCE = 64;

  private final PrintStream out;
  private @Nullable Store store;
  private String root = "";
  private @Nullable NdArray content;

  private ReactivePeer(PrintStream out) {
    this.out = out;
  }

  /** Answers lines until the input ends. */
  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    if (arguments.length > 0) {
      out.println("zarr-reactive");
      return;
    }
    ReactivePeer peer = new ReactivePeer(out);
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      peer.answer(List.of(line.split("\t", -1)));
    }
    System.exit(0);
  }

  private void answer(List<String> words) {
    try {
      String array = words.get(2);
      String argument = words.get(3);
      ZarrHierarchy zarr = Zarr.hierarchy(at(words.get(1)));
      switch (words.get(0)) {
        case "read" -> read(zarr, array, Selection.parse(argument));
        case "points" -> read(zarr, array, points(argument));
        case "many" -> many(zarr, array, argument);
        case "open" -> open(zarr, array, argument);
        case "walk" -> walk(zarr, array);
        case "write" -> write(zarr, array, argument);
        default -> out.println("unsupported\tthe command " + words.get(0));
      }
    } catch (RuntimeException e) {
      out.println("failed\t" + String.valueOf(e.getMessage()).replace('\n', ' '));
    }
  }

  private Store at(String location) {
    Store open = store;
    if (open == null || !location.equals(root)) {
      if (open != null) {
        open.close().block();
      }
      open = Objects.requireNonNull(Zarr.store(location).block());
      store = open;
      root = location;
    }
    return open;
  }

  private void read(ZarrHierarchy zarr, String path, Selection selection) {
    ZarrArray array = array(zarr, path);
    long begun = System.nanoTime();
    NdArray result = array.read(selection).block();
    done(System.nanoTime() - begun, sum(Objects.requireNonNull(result)));
  }

  private static Selection points(String argument) {
    return Selection.points(
        Arrays.stream(argument.split(";", -1))
            .map(point -> Arrays.stream(point.split(",", -1)).mapToLong(Long::parseLong).toArray())
            .toArray(long[][]::new));
  }

  private void many(ZarrHierarchy zarr, String path, String argument) {
    ZarrArray array = array(zarr, path);
    List<Selection> selections =
        Arrays.stream(argument.split("\\|", -1)).map(Selection::parse).toList();
    long begun = System.nanoTime();
    List<NdArray> results =
        Flux.fromIterable(selections).flatMap(array::read, AT_ONCE).collectList().block();
    done(System.nanoTime() - begun, results.stream().mapToLong(ReactivePeer::sum).sum());
  }

  private void open(ZarrHierarchy zarr, String root, String argument) {
    String[] parts = argument.split(" ", -1);
    int groups = Integer.parseInt(parts[1]);
    int arrays = Integer.parseInt(parts[2]);
    long begun = System.nanoTime();
    Long extent =
        Flux.range(0, groups * arrays)
            .map(i -> root + "/" + parts[0].formatted(i / arrays, i % arrays))
            .flatMap(zarr::openArray, AT_ONCE)
            .map(array -> array.shape().toArray()[0])
            .reduce(0L, Long::sum)
            .block();
    done(System.nanoTime() - begun, Objects.requireNonNull(extent));
  }

  private void walk(ZarrHierarchy zarr, String root) {
    long begun = System.nanoTime();
    Long nodes = zarr.openGroup(root).flatMapMany(ZarrGroup::tree).count().block();
    done(System.nanoTime() - begun, Objects.requireNonNull(nodes));
  }

  private void write(ZarrHierarchy zarr, String path, String way) {
    int side = ComparedData.WRITTEN_SIDE;
    NdArray written = content == null ? ComparedData.content(side) : content;
    content = written;
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(side, side, side), DataTypes.UINT16)
            .chunkShape(64, 64, 64)
            .compressors(Codecs.zstd(3));
    ArrayMetadata one =
        way.equals("sharded") ? metadata.shardShape(128, 128, 128).build() : metadata.build();
    long begun = System.nanoTime();
    zarr.createArray(path, one).flatMap(array -> array.write(Selection.all(), written)).block();
    long nanos = System.nanoTime() - begun;
    done(nanos, sum(Objects.requireNonNull(array(zarr, path).read().block())));
  }

  private static ZarrArray array(ZarrHierarchy zarr, String path) {
    return Objects.requireNonNull(zarr.openArray(path).block());
  }

  private static long sum(NdArray values) {
    long sum = 0;
    ByteBuffer bytes = values.bytes().asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining()) {
      sum += bytes.getShort() & 0xffff;
    }
    return sum;
  }

  private void done(long nanos, long checksum) {
    out.println("ok\t" + nanos + "\t" + checksum);
  }
}
