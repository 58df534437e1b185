package dev.zarrreactive.spark.write;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.chunkgrid.ShrinkMode;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Arrays that exist, whose cells a write changes. An append stores its chunks beyond the end of the
 * arrays, where no reader looks; the commit makes the arrays longer.
 */
final class ExistingTarget extends CellTarget {
  /**
   * The dimension that becomes longer.
   *
   * @param labels the labels that are new, in the form of their kind; empty for indices
   * @param from the extent before
   * @param to the extent after
   */
  record Growth(String dimension, List<Object> labels, long from, long to) {}

  /**
   * An array of the node.
   *
   * @param decoding the coding by which values are stored
   */
  record Member(String name, ZarrArray array, CfDecoding decoding, List<String> dimensions) {}

  private final @Nullable ZarrGroup consolidated;
  private final List<Member> members;
  private final @Nullable Growth growth;
  private final boolean resumes;

  /**
   * Creates the target.
   *
   * @param consolidated the group whose metadata are consolidated, and will be again; null for none
   * @param members all arrays of the node
   * @param written the names of those that rows have values for
   * @param claim the mark of an append; null where no array grows
   */
  ExistingTarget(
      ZarrHierarchy hierarchy,
      @Nullable ZarrGroup consolidated,
      List<Member> members,
      List<String> written,
      List<DimensionLabels> labels,
      @Nullable Growth growth,
      @Nullable Claim claim,
      boolean resumes) {
    super(hierarchy, labels, targets(members, written, labels, growth), claim);
    this.consolidated = consolidated;
    this.members = members;
    this.growth = growth;
    this.resumes = resumes;
  }

  private static List<ArrayTarget> targets(
      List<Member> members,
      List<String> written,
      List<DimensionLabels> labels,
      @Nullable Growth growth) {
    List<String> dimensions = labels.stream().map(DimensionLabels::name).toList();
    List<ArrayTarget> targets = new ArrayList<>();
    for (Member member : members) {
      if (written.contains(member.name)) {
        targets.add(
            ArrayTarget.of(
                member.array.path().value(),
                grown(member, growth),
                member.decoding.attributes(),
                member.dimensions.stream().map(dimensions::indexOf).toList(),
                member.name));
      }
    }
    return targets;
  }

  /** Returns the metadata of an array after the write. */
  private static ArrayMetadata grown(Member member, @Nullable Growth grows) {
    ArrayMetadata metadata = member.array.metadata();
    Shape shape = shape(member, grows);
    return shape.equals(metadata.shape())
        ? metadata
        : metadata.withShape(shape, ChunkGrid.grown(metadata.chunkGrid(), shape));
  }

  private static Shape shape(Member member, @Nullable Growth grows) {
    long[] extents = member.array.shape().toArray();
    if (grows != null && member.dimensions.contains(grows.dimension)) {
      extents[member.dimensions.indexOf(grows.dimension)] = grows.to;
    }
    return Shape.of(extents);
  }

  private List<Member> growing() {
    Growth grows = growth;
    return grows == null
        ? List.of()
        : members.stream().filter(one -> one.dimensions.contains(grows.dimension)).toList();
  }

  @Override
  public boolean isNew() {
    return false;
  }

  @Override
  public Mono<Void> begin() {
    Claim mark = claim();
    if (mark == null) {
      return Mono.empty();
    }
    Mono<Void> taken =
        mark.take(store, "if it was cut, the option resume=true removes its rows, and writes anew");
    return resumes ? mark.release(store).then(taken).then(Mono.defer(this::trimmed)) : taken;
  }

  /** Removes elements that an append has stored beyond the end of the arrays. */
  private Mono<Void> trimmed() {
    return Flux.fromIterable(growing())
        .concatMap(member -> member.array.resize(member.array.shape(), ShrinkMode.TRIM), 0)
        .then();
  }

  @Override
  public Mono<Void> commit() {
    Claim mark = claim();
    Growth grows = growth;
    if (mark == null || grows == null) {
      return Mono.empty();
    }
    return Flux.fromIterable(growing())
        .concatMap(this::checkUnchanged, 0)
        .then(Mono.defer(() -> coordinate(grows)))
        .then(
            Mono.defer(
                () ->
                    Flux.fromIterable(growing())
                        .concatMap(member -> member.array.resize(shape(member, grows)), 0)
                        .then()))
        .then(
            Mono.defer(
                () -> {
                  ZarrGroup group = consolidated;
                  return group == null ? Mono.<Void>empty() : group.consolidate().then();
                }))
        .then(Mono.defer(() -> mark.release(store)));
  }

  /** Fails if another program has made an array longer since the write began. */
  private Mono<Void> checkUnchanged(Member member) {
    return hierarchy
        .openArray(member.array.path().value())
        .filter(now -> now.shape().equals(member.array.shape()))
        .switchIfEmpty(
            Mono.error(
                () ->
                    new PreconditionFailedException(
                        "another program has changed the shape since the write began, which was "
                            + member.array.shape(),
                        Location.ofNode(member.array.path().value()))))
        .then();
  }

  /** Writes the new labels beyond the end of their coordinate. */
  private Mono<Void> coordinate(Growth grows) {
    Member coordinate =
        members.stream()
            .filter(one -> one.name.equals(grows.dimension))
            .filter(one -> one.dimensions.equals(List.of(grows.dimension)))
            .findFirst()
            .orElse(null);
    if (coordinate == null || grows.labels.isEmpty()) {
      return Mono.empty();
    }
    CfDecoding coding = coordinate.decoding;
    NdArray values =
        ValueBuffer.stored(Objects.requireNonNull(CellKind.of(coding)), grows.labels, coding);
    return hierarchy
        .array(coordinate.array.path().value(), grown(coordinate, grows))
        .write(Selection.box(new long[] {grows.from}, new long[] {grows.to - grows.from}), values);
  }

  @Override
  public Mono<Void> abort() {
    Claim mark = claim();
    return mark == null ? Mono.empty() : mark.release(store).then(Mono.defer(this::trimmed));
  }

  /** Returns the dimensions of the arrays with these names, in the order of the widest one. */
  static List<String> dimensions(List<Member> members, List<String> written) {
    List<String> all = new ArrayList<>();
    members.stream()
        .filter(member -> written.contains(member.name))
        .sorted((a, b) -> b.dimensions.size() - a.dimensions.size())
        .forEach(
            member ->
                member.dimensions.stream()
                    .filter(dimension -> !all.contains(dimension))
                    .forEach(all::add));
    return all;
  }
}
