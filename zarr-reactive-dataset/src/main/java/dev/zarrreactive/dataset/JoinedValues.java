package dev.zarrreactive.dataset;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.internal.flow.Concurrently;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The values of several variables, one after the other along a dimension. A selection goes down to
 * the pieces: one of which nothing is selected is never read.
 */
final class JoinedValues extends AssembledValues {
  private final String dimension;

  /** The number of the dimension. */
  private final int place;

  /** True if the pieces lack the dimension, so that each has one position of it. */
  private final boolean isNew;

  private final List<AssembledValues> pieces;

  /** The position of each piece's first one among all, and the position after the last one. */
  private final long[] starts;

  /** What is selected of all positions. */
  private final DimensionPart selected;

  private JoinedValues(
      String dimension,
      int place,
      boolean isNew,
      List<AssembledValues> pieces,
      long[] starts,
      DimensionPart selected) {
    this.dimension = dimension;
    this.place = place;
    this.isNew = isNew;
    this.pieces = List.copyOf(pieces);
    this.starts = starts;
    this.selected = selected;
  }

  /**
   * Joins values of one type and of the same dimensions, which have the same extents but for the
   * one along which they are joined.
   *
   * @param pieces at least one; where they lack the dimension, it becomes the first one
   */
  static JoinedValues of(String dimension, List<AssembledValues> pieces) {
    int known = pieces.get(0).dimensions().indexOf(dimension);
    long[] starts = new long[pieces.size() + 1];
    for (int k = 0; k < pieces.size(); k++) {
      starts[k + 1] = starts[k] + (known < 0 ? 1 : pieces.get(k).shape().extent(known));
    }
    return new JoinedValues(
        dimension,
        Math.max(0, known),
        known < 0,
        pieces,
        starts,
        DimensionPart.whole(starts[pieces.size()]));
  }

  /** Returns the piece that has a position. */
  private int piece(long position) {
    int found = Arrays.binarySearch(starts, position);
    int piece = found < 0 ? -found - 2 : found;
    while (starts[piece + 1] == starts[piece]) {
      piece++; // an empty piece has no position
    }
    return piece;
  }

  /**
   * What is read of a piece.
   *
   * @param positions in the piece
   * @param places of its values among all that are selected
   */
  private record Part(int piece, Axis positions, Axis places) {}

  private List<Part> parts() {
    return selected.axis() instanceof Axis.Range range ? partsOf(range) : partsOfList();
  }

  private List<Part> partsOf(Axis.Range range) {
    List<Part> parts = new ArrayList<>();
    long done = 0;
    while (done < range.count()) {
      long first = range.start() + done * range.step();
      int piece = piece(first);
      long count =
          Math.min(range.count() - done, (starts[piece + 1] - 1 - first) / range.step() + 1);
      parts.add(
          new Part(
              piece,
              new Axis.Range(first - starts[piece], count, range.step(), false),
              new Axis.Range(done, count, 1, false)));
      done += count;
    }
    return parts;
  }

  private List<Part> partsOfList() {
    Map<Integer, List<Long>> places = new LinkedHashMap<>();
    for (long i = 0; i < selected.size(); i++) {
      places.computeIfAbsent(piece(selected.index(i)), any -> new ArrayList<>()).add(i);
    }
    List<Part> parts = new ArrayList<>();
    places.forEach(
        (piece, its) -> {
          long[] all = its.stream().mapToLong(i -> i).toArray();
          long[] local = Arrays.stream(all).map(i -> selected.index(i) - starts[piece]).toArray();
          parts.add(new Part(piece, axis(local), axis(all)));
        });
    return parts;
  }

  /** Returns indices as a range where they are one. */
  private static Axis axis(long... indices) {
    boolean isRange = true;
    for (int i = 1; i < indices.length; i++) {
      isRange &= indices[i] == indices[i - 1] + 1;
    }
    return isRange
        ? new Axis.Range(indices[0], indices.length, 1, false)
        : new Axis.Indices(indices);
  }

  @Override
  public Map<String, Boolean> along() {
    Map<String, Boolean> along = new LinkedHashMap<>();
    pieces.forEach(
        piece ->
            piece
                .along()
                .forEach((name, isWhole) -> along.merge(name, isWhole, Boolean::logicalOr)));
    along.keySet().retainAll(dimensions());
    return along;
  }

  @Override
  Mono<NdArray> gather() {
    return Mono.defer(
        () -> {
          List<Part> parts = parts();
          if (parts.size() == 1 && !isNew && parts.get(0).places() instanceof Axis.Range) {
            return read(parts.get(0));
          }
          PlacedElements whole = PlacedElements.allocate(dataType(), shape(), location());
          return Concurrently.map(
                  Flux.fromIterable(parts),
                  options().maxConcurrency(),
                  part -> read(part).doOnNext(values -> put(values, part, whole)))
              .then(Mono.fromSupplier(whole::array));
        });
  }

  private Mono<NdArray> read(Part part) {
    AssembledValues piece = pieces.get(part.piece());
    return (isNew ? piece : piece.with(dimension, part.positions())).read(Selection.all());
  }

  private void put(NdArray values, Part part, PlacedElements whole) {
    List<Axis> places = new ArrayList<>();
    long[] extents = shape().toArray();
    for (int d = 0; d < extents.length; d++) {
      places.add(d == place ? part.places() : new Axis.Range(0, extents[d], 1, false));
    }
    if (!isNew) {
      whole.put(values, places);
      return;
    }
    Axis all = part.places();
    for (long i = 0; i < all.count(); i++) {
      places.set(place, new Axis.Range(new DimensionPart(all).index(i), 1, 1, true));
      whole.put(values, places);
    }
  }

  @Override
  public DataType dataType() {
    return pieces.get(0).dataType();
  }

  @Override
  public List<String> dimensions() {
    List<String> names = new ArrayList<>(pieces.get(0).dimensions());
    if (isNew) {
      names.add(place, dimension);
    }
    return names;
  }

  @Override
  public Shape shape() {
    long[] its = pieces.get(0).shape().toArray();
    long[] extents = new long[its.length + (isNew ? 1 : 0)];
    for (int d = 0, next = 0; d < extents.length; d++) {
      boolean isJoined = d == place;
      extents[d] = isJoined ? selected.size() : its[next];
      next += isJoined && isNew ? 0 : 1;
    }
    return Shape.of(extents);
  }

  /** Returns the number of a dimension in the pieces. */
  private int inPieces(int number) {
    return isNew && number > place ? number - 1 : number;
  }

  @Override
  public Axis divided(int number) {
    return number == place ? positions(number) : pieces.get(0).divided(inPieces(number));
  }

  @Override
  public Optional<Long> chunk(int number) {
    if (number == place && isNew) {
      return Optional.of(1L);
    }
    return pieces.stream()
        .flatMap(piece -> piece.chunk(inPieces(number)).stream())
        .max(Long::compare);
  }

  @Override
  public long[] edges(int number) {
    if (number != place) {
      return pieces.get(0).edges(inPieces(number));
    }
    if (isNew) {
      return new long[0];
    }
    return selected.axis() instanceof Axis.Range range ? edgesOfRange(range) : edgesOfList();
  }

  private long[] edgesOfRange(Axis.Range range) {
    return partsOf(range).stream()
        .flatMapToLong(
            part -> {
              long[] its =
                  RunEnds.of(pieces.get(part.piece()).with(dimension, part.positions()), place);
              long from = ((Axis.Range) part.places()).start();
              return Arrays.stream(its).map(end -> from + end);
            })
        .toArray();
  }

  /**
   * Returns the ends of the runs of positions in one chunk of one piece; an empty array if a chunk
   * has two runs.
   */
  private long[] edgesOfList() {
    int count = Math.toIntExact(selected.size());
    List<long[]> ends = pieces.stream().map(piece -> RunEnds.of(piece, place)).toList();
    long[] found = new long[count];
    int runs = 0;
    Set<Long> seen = new HashSet<>();
    long before = -1;
    for (int i = 0; i < count; i++) {
      long position = selected.index(i);
      int piece = piece(position);
      long[] its = ends.get(piece);
      int chunk = Arrays.binarySearch(its, position - starts[piece] + 1);
      long id = ((long) piece << Integer.SIZE) | (chunk < 0 ? -chunk - 1 : chunk);
      if (i > 0 && id != before) {
        found[runs++] = i;
      }
      if (id != before && !seen.add(id)) {
        return new long[0];
      }
      before = id;
    }
    if (count > 0) {
      found[runs++] = count;
    }
    return Arrays.copyOf(found, runs);
  }

  @Override
  public AssembledValues with(String name, Axis positions) {
    if (!name.equals(dimension)) {
      return each(piece -> piece.with(name, positions));
    }
    DimensionPart part = selected.select(positions);
    if (!part.isDropped()) {
      return new JoinedValues(dimension, place, isNew, pieces, starts, part);
    }
    int piece = piece(part.index(0));
    return isNew
        ? pieces.get(piece)
        : pieces
            .get(piece)
            .with(dimension, new Axis.Range(part.index(0) - starts[piece], 1, 1, true));
  }

  private JoinedValues each(UnaryOperator<AssembledValues> change) {
    List<String> before = dimensions();
    List<AssembledValues> changed = pieces.stream().map(change).toList();
    List<String> names = changed.get(0).dimensions();
    int moved =
        isNew
            ? (int) IntStream.range(0, place).filter(d -> names.contains(before.get(d))).count()
            : names.indexOf(dimension);
    return new JoinedValues(dimension, moved, isNew, changed, starts, selected);
  }

  @Override
  public JoinedValues renamed(String name, String other) {
    List<AssembledValues> changed =
        pieces.stream().map(piece -> piece.renamed(name, other)).toList();
    return new JoinedValues(
        name.equals(dimension) ? other : dimension, place, isNew, changed, starts, selected);
  }

  @Override
  public Optional<TimeCoding> times() {
    return pieces.get(0).times();
  }

  @Override
  public ZarrOptions options() {
    return pieces.get(0).options();
  }

  @Override
  public Location location() {
    return pieces.get(0).location();
  }
}
