package dev.zarrreactive.dataset;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The values of a stored array, or of a part of one.
 *
 * @param dimensionsOfArray the names of all dimensions of the array
 * @param parts what is selected of each of them
 */
record StoredValues(
    ZarrArray array, CfDecoding decoding, List<String> dimensionsOfArray, List<DimensionPart> parts)
    implements VariableValues {
  StoredValues {
    dimensionsOfArray = List.copyOf(dimensionsOfArray);
    parts = List.copyOf(parts);
  }

  /** The number of dimensions of the array that values have. */
  private int valueRank() {
    return dimensionsOfArray.size() - (decoding.joinsCharacters() ? 1 : 0);
  }

  /** The names of the array's dimensions, those of single indices as well. */
  List<String> valueDimensions() {
    return dimensionsOfArray.subList(0, valueRank());
  }

  /** The dimensions of the array that the values still have. */
  private int[] kept() {
    return IntStream.range(0, valueRank()).filter(d -> !parts.get(d).isDropped()).toArray();
  }

  @Override
  public DataType dataType() {
    return decoding.dataType();
  }

  @Override
  public List<String> dimensions() {
    return Arrays.stream(kept()).mapToObj(dimensionsOfArray::get).toList();
  }

  @Override
  public Shape shape() {
    return Shape.of(Arrays.stream(kept()).mapToLong(d -> parts.get(d).size()).toArray());
  }

  @Override
  public Axis positions(int dimension) {
    return parts.get(kept()[dimension]).axis();
  }

  @Override
  public Optional<Long> chunk(int dimension) {
    return Optional.of(array.chunkGrid().largestChunkShape().extent(kept()[dimension]));
  }

  @Override
  public StoredValues with(String dimension, Axis positions) {
    List<DimensionPart> selected = new ArrayList<>(parts);
    for (int d : kept()) {
      if (dimensionsOfArray.get(d).equals(dimension)) {
        selected.set(d, parts.get(d).select(positions));
      }
    }
    return new StoredValues(array, decoding, dimensionsOfArray, selected);
  }

  @Override
  public StoredValues renamed(String dimension, String other) {
    List<String> names = new ArrayList<>(dimensionsOfArray);
    names.replaceAll(name -> name.equals(dimension) ? other : name);
    return new StoredValues(array, decoding, names, parts);
  }

  @Override
  public Optional<TimeCoding> times() {
    return decoding.times();
  }

  /** Returns the same part with its stored elements. */
  StoredValues raw() {
    CfDecoding none = CfDecoding.of(array.metadata(), array.attributes(), Set.of(), false);
    return new StoredValues(array, none, dimensionsOfArray, parts);
  }

  /** Returns the whole array. */
  StoredValues whole() {
    DimensionPart[] all = new DimensionPart[parts.size()];
    Arrays.setAll(all, d -> DimensionPart.whole(array.shape().extent(d)));
    return new StoredValues(array, decoding, dimensionsOfArray, List.of(all));
  }

  @Override
  public Mono<NdArray> read(Selection selection) {
    return decoding.read(array, stored(selection));
  }

  @Override
  public Mono<ByteBuffer> readInto(Selection selection, ByteBuffer target) {
    return decoding.readInto(array, stored(selection), target);
  }

  @Override
  public Flux<Chunk> chunks(Selection selection) {
    return decoding.chunks(array, stored(selection));
  }

  @Override
  public Flux<Chunk> chunksInOrder(Selection selection) {
    return decoding.chunksInOrder(array, stored(selection));
  }

  @Override
  public <T> Flux<T> chunks(boolean isInOrder, ChunkWork<T> work) {
    Selection all = stored(Selection.all());
    return isInOrder ? array.chunksInOrder(all, work) : array.chunks(all, work);
  }

  @Override
  public ZarrOptions options() {
    return array.options();
  }

  @Override
  public Location location() {
    return Location.ofNode(array.path().value());
  }

  /** Returns a selection of the values as one of the array. */
  Selection stored(Selection selection) {
    ResolvedSelection resolved = selection.resolve(shape());
    if (resolved instanceof ResolvedSelection.Points points) {
      return points(points);
    }
    List<Axis> axes = ((ResolvedSelection.Orthogonal) resolved).axes();
    DimensionSelection[] entries = new DimensionSelection[parts.size()];
    Arrays.setAll(entries, d -> parts.get(d).selection());
    int[] kept = kept();
    for (int i = 0; i < kept.length; i++) {
      entries[kept[i]] = parts.get(kept[i]).select(axes.get(i)).selection();
    }
    return Selection.of(entries);
  }

  private Selection points(ResolvedSelection.Points points) {
    if (decoding.joinsCharacters()) {
      throw new UnsupportedFeatureException(
          "points select no texts of joined characters; select boxes", location());
    }
    long[][] coordinates = new long[points.count()][parts.size()];
    for (int p = 0; p < coordinates.length; p++) {
      int next = 0;
      for (int d = 0; d < parts.size(); d++) {
        DimensionPart part = parts.get(d);
        coordinates[p][d] = part.index(part.isDropped() ? 0 : points.index(next++, p));
      }
    }
    return Selection.points(coordinates);
  }
}
