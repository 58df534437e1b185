package dev.zarrreactive.benchmarks.compare;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** Makes the arrays and groups that are read, once in a directory. */
final class ComparedData {
  static final String TINY = "tiny";
  static final String TINIER = "tinier";
  static final String TREE = "tree";

  /** The numbers of chunks of arrays without a value: only their grid grows. */
  static final long[] GROWN = {10, 1_000, 100_000, 1_000_000};

  static final int TINY_ELEMENTS = 16;
  static final String CONSOLIDATED = "consolidated";

  /** The names of the arrays below {@link #TREE}: 25 groups of 40. */
  static final String NODES = "g%d/a%d 25 40";

  /** The number of elements along each dimension of an array that is written. */
  static final int WRITTEN_SIDE = 256;

  private static final int TINY_CHUNKS = 20_000;
  private static final int TINIER_CHUNKS = 100_000;
  private static final String WHOLE = "whole";

  private ComparedData() {}

  /**
   * Makes what is not there yet, and blocks until it is.
   *
   * @param root the directory of the arrays
   * @param side the number of elements along each of three dimensions
   */
  static void make(Path root, int side) throws IOException {
    Path mark = root.resolve(WHOLE);
    String wanted = "second edition, side " + side;
    if (Files.exists(mark) && Files.readString(mark).equals(wanted)) {
      return;
    }
    Files.createDirectories(root);
    Store store = Objects.requireNonNull(Zarr.at(root.toString()).store().block());
    for (String old : new String[] {TINY, TINIER, TREE, CONSOLIDATED}) {
      Zarr.hierarchy(store).erase(old).block();
    }
    cubes(store, side);
    row(store, TINY, TINY_CHUNKS);
    row(store, TINIER, TINIER_CHUNKS);
    for (long chunks : GROWN) {
      Zarr.hierarchy(store).erase(grown(chunks)).block();
      Zarr.hierarchy(store).createArray(grown(chunks), tiny(chunks * TINY_ELEMENTS)).block();
    }
    tree(store, TREE);
    tree(store, CONSOLIDATED);
    Zarr.hierarchy(store).openGroup(CONSOLIDATED).flatMap(ZarrGroup::consolidate).block();
    store.close().block();
    NdArray written = content(WRITTEN_SIDE); // which the others read from here
    Files.write(root.resolveSibling("content"), written.bytes().toByteArray());
    Files.writeString(mark, wanted);
  }

  private static void cubes(Store store, int side) {
    NdArray content = content(side);
    for (ComparedArray each : ComparedArray.values()) {
      Zarr.hierarchy(store).erase(each.path()).block();
      Zarr.hierarchy(store)
          .createArray(each.path(), each.metadata(side))
          .flatMap(array -> array.write(Selection.all(), content))
          .block();
    }
  }

  /** A smooth field with noise in its lowest three bits. */
  static NdArray content(int side) {
    short[] values = new short[side * side * side];
    double[] wave = new double[side];
    for (int i = 0; i < side; i++) {
      wave[i] = 3000 * Math.sin(6 * Math.PI * i / side);
    }
    Random random = new Random(7);
    int at = 0;
    for (int z = 0; z < side; z++) {
      for (int y = 0; y < side; y++) {
        int noise = random.nextInt();
        for (int x = 0; x < side; x++) {
          noise = noise * 1_103_515_245 + 12_345;
          values[at++] = (short) ((int) (12_000 + wave[z] + wave[y] + wave[x]) ^ (noise >>> 29));
        }
      }
    }
    return NdArray.ofShorts(DataTypes.UINT16, Shape.of(side, side, side), values);
  }

  static String grown(long chunks) {
    return "grown" + chunks;
  }

  private static ArrayMetadata tiny(long length) {
    return ArrayMetadata.v3(Shape.of(length), DataTypes.UINT16)
        .chunkShape(TINY_ELEMENTS)
        .uncompressed()
        .build();
  }

  private static void row(Store store, String path, int chunks) {
    long length = (long) chunks * TINY_ELEMENTS;
    short[] values = new short[(int) length];
    for (int i = 0; i < values.length; i++) {
      values[i] = (short) (i + 1);
    }
    NdArray content = NdArray.ofShorts(DataTypes.UINT16, Shape.of(length), values);
    Zarr.hierarchy(store)
        .createArray(path, tiny(length))
        .flatMap((ZarrArray array) -> array.write(Selection.all(), content))
        .block();
  }

  private static void tree(Store store, String root) {
    ArrayMetadata leaf =
        ArrayMetadata.v3(Shape.of(10, 10), DataTypes.FLOAT32).chunkShape(10, 10).build();
    Map<String, NodeMetadata> nodes = new LinkedHashMap<>();
    nodes.put(root, GroupMetadata.of(JsonObject.EMPTY));
    for (int g = 0; g < 25; g++) {
      nodes.put(root + "/g" + g, GroupMetadata.of(JsonObject.EMPTY));
      for (int a = 0; a < 40; a++) {
        nodes.put(root + "/g" + g + "/a" + a, leaf);
      }
    }
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    hierarchy.create(nodes).block();
  }
}
