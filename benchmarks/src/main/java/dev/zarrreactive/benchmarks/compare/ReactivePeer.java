package dev.zarrreactive.benchmarks.compare;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkOptions;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.virtual.VirtualContainers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * This client as a process that answers the lines of {@link PeerProcess}. Each read is one of a
 * hierarchy that was just opened, so that it finds nothing in a cache but connections.
 */
public final class ReactivePeer {
  /** The argument of a process that reads a bucket over HTTP, not over S3. */
  static final String OVER_HTTP = "--http";

  private static final int AT_ONCE = 64;
  private static final String IN_BUCKET = "s3+";
  private static final String IN_MEMORY = "memory:";
  private static final String IN_REPOSITORY = "icechunk+";

  private final PrintStream out;
  private @Nullable Store store;
  private @Nullable Store repositories;
  private String root = "";
  private @Nullable NdArray content;
  private final Set<String> copied = new HashSet<>();

  private final boolean overHttp;

  private ReactivePeer(PrintStream out, boolean overHttp) {
    this.out = out;
    this.overHttp = overHttp;
  }

  /** Answers lines until the input ends. */
  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    if (List.of(arguments).contains("--check")) {
      out.println("zarr-reactive");
      return;
    }
    ReactivePeer peer = new ReactivePeer(out, List.of(arguments).contains(OVER_HTTP));
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
      ZarrHierarchy zarr = Zarr.hierarchy(at(words.get(1), array));
      switch (words.get(0)) {
        case "read" -> read(zarr, array, Selection.parse(argument));
        case "points" -> read(zarr, array, points(argument));
        case "many" -> many(zarr, array, argument);
        case "open" -> open(zarr, array, argument);
        case "walk" -> walk(zarr, array);
        case "write" -> write(zarr, array, argument);
        case "update" -> update(zarr, array, argument);
        case "stream" -> stream(zarr, array, Long.parseLong(argument));
        case "version" -> version(words.get(1), array, argument);
        default -> out.println("unsupported\tthe command " + words.get(0));
      }
    } catch (RuntimeException e) {
      out.println("failed\t" + String.valueOf(e.getMessage()).replace('\n', ' '));
    }
  }

  private Store at(String location, String array) {
    Store open = store;
    if (open == null || !location.equals(root)) {
      if (open != null) {
        open.close().block();
      }
      open = opened(location);
      store = open;
      root = location;
    }
    if (location.startsWith(IN_MEMORY) && copied.add(array)) {
      copy(location.substring(IN_MEMORY.length()), array, open);
    }
    return open;
  }

  private Store opened(String location) {
    if (location.startsWith(IN_REPOSITORY)) {
      Store place = opened(location.substring(IN_REPOSITORY.length()));
      repositories = place;
      return Objects.requireNonNull(main(place, location).block());
    }
    if (location.startsWith(IN_MEMORY)) {
      return MemoryStore.create();
    }
    if (!location.startsWith(IN_BUCKET) || overHttp) {
      return Objects.requireNonNull(Zarr.at(location.replace(IN_BUCKET, "")).store().block());
    }
    URI url = URI.create(location.substring(IN_BUCKET.length()));
    StoreOptions options =
        StoreOptions.none()
            .with("endpoint", "http://" + url.getAuthority())
            .with("region", "us-east-1")
            .with("anonymous", "true");
    return Objects.requireNonNull(
        Zarr.at("s3:/" + url.getPath()).withStoreOptions(options).store().block());
  }

  private static Mono<Store> main(Store place, String location) {
    IcechunkOptions options = IcechunkOptions.defaults();
    if (location.startsWith(IN_REPOSITORY + "http")) {
      String prefix = location.substring(IN_REPOSITORY.length(), location.lastIndexOf('/') + 1);
      options = options.withContainers(VirtualContainers.builder().allow(prefix).build());
    }
    return Icechunk.open(place, options).flatMap(opened -> opened.store(IcechunkVersion.MAIN));
  }

  /** Opens the repository anew, and an array of it; reads a selection where there is one. */
  private void version(String location, String path, String selection) {
    Store place = Objects.requireNonNull(repositories);
    long begun = System.nanoTime();
    ZarrArray array =
        Objects.requireNonNull(
            main(place, location)
                .flatMap(version -> Zarr.hierarchy(version).openArray(path))
                .block());
    NdArray result = selection.isEmpty() ? null : array.read(Selection.parse(selection)).block();
    long nanos = System.nanoTime() - begun;
    done(nanos, result == null ? array.shape().toArray()[0] : sum(result));
  }

  private static void copy(String directory, String array, Store memory) {
    Store files = Objects.requireNonNull(Zarr.at(directory).store().block());
    files
        .listPrefix(StorePrefix.of(array + "/"))
        .concatMap(key -> files.get(key).flatMap(value -> memory.set(key, value)))
        .then(files.close())
        .block();
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

  /** Writes a box into an array in shards that has values already. */
  private void update(ZarrHierarchy zarr, String path, String box) {
    int side = ComparedData.WRITTEN_SIDE;
    NdArray written = content == null ? ComparedData.content(side) : content;
    content = written;
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(side, side, side), DataTypes.UINT16)
            .chunkShape(64, 64, 64)
            .shardShape(128, 128, 128)
            .compressors(Codecs.zstd(3))
            .build();
    zarr.createArray(path, metadata)
        .flatMap(array -> array.write(Selection.all(), written))
        .block();
    ZarrArray array = array(zarr, path);
    Selection part = Selection.parse(box);
    NdArray values =
        Objects.requireNonNull(array.read(Selection.parse("0:100,0:100,0:100")).block());
    long begun = System.nanoTime();
    array.write(part, values).block();
    long nanos = System.nanoTime() - begun;
    done(nanos, sum(Objects.requireNonNull(array(zarr, path).read().block())));
  }

  private void stream(ZarrHierarchy zarr, String path, long millis) {
    ZarrArray array = array(zarr, path);
    long begun = System.nanoTime();
    Long sum =
        array
            .chunks()
            .concatMap(
                chunk -> Mono.delay(Duration.ofMillis(millis)).map(late -> sum(chunk.data())), 1)
            .reduce(0L, Long::sum)
            .block();
    done(System.nanoTime() - begun, Objects.requireNonNull(sum));
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
