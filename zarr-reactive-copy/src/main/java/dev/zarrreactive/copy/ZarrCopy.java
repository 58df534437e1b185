package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.copy.CopyProgress.Step;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A copy of a node and of everything below it, to another place, store, format, chunk grid or codec
 * chain. Immutable; each method but {@link #run} returns a changed description.
 *
 * <pre>{@code Flux<CopyProgress> copy =
 *
 * ZarrCopy.of(Zarr.at("s3://bucket/earth.zarr"), Zarr.at("earth.zarr")).zarrFormat(3).run(); }
 * </pre>
 */
public final class ZarrCopy {
  private final CopyEnd source;
  private final CopyEnd destination;
  private final Choices choices;

  private ZarrCopy(CopyEnd source, CopyEnd destination, Choices choices) {
    this.source = source;
    this.destination = destination;
    this.choices = choices;
  }

  /** What the copy shall be, initially the defaults; never changed once it is published. */
  private static final class Choices implements Cloneable {
    private NodePath from = NodePath.ROOT;
    private NodePath to = NodePath.ROOT;
    private @Nullable Selection selection;
    private Map<String, DimensionSelection> dimensions = Map.of();
    private List<String> include = List.of();
    private List<String> exclude = List.of();
    private @Nullable Integer zarrFormat;
    private boolean conventions = true;
    private Map<Integer, Shape> chunkShapes = Map.of();
    private Map<Integer, Shape> shardShapes = Map.of();
    private @Nullable Function<ArrayMetadata, Optional<Shape>> chunkChoice;
    private @Nullable BiFunction<ArrayMetadata, Shape, Optional<Shape>> shardChoice;
    private boolean unsharded;
    private @Nullable List<NamedConfiguration> codecs;
    private IfExists ifExists = IfExists.REFUSE;
    private @Nullable Boolean consolidated;
    private boolean allFiles;

    Choices copy() {
      try {
        return (Choices) clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }

    static List<String> joined(List<String> some, String... others) {
      return Stream.concat(some.stream(), List.of(others).stream()).toList();
    }

    static Map<String, DimensionSelection> with(
        Map<String, DimensionSelection> dimensions, String name, DimensionSelection indices) {
      Map<String, DimensionSelection> all = new TreeMap<>(dimensions);
      all.put(name, indices);
      return all;
    }

    static Map<Integer, Shape> with(Map<Integer, Shape> shapes, long... another) {
      for (long extent : another) {
        if (extent < 1) {
          throw new IllegalArgumentException("a chunk has at least one element in each dimension");
        }
      }
      Map<Integer, Shape> all = new TreeMap<>(shapes);
      all.put(another.length, Shape.of(another));
      return all;
    }
  }

  private ZarrCopy with(Consumer<Choices> change) {
    Choices changed = choices.copy();
    change.accept(changed);
    return new ZarrCopy(source, destination, changed);
  }

  /** Describes a copy of all of {@code source} to the root of {@code destination}. */
  public static ZarrCopy of(ZarrHierarchy source, ZarrHierarchy destination) {
    return new ZarrCopy(CopyEnd.of(source), CopyEnd.of(destination), new Choices());
  }

  /**
   * Describes a copy of all at {@code source} to {@code destination}: paths or URLs, with options
   * of their stores and of the work. Each run opens both, and closes them when it ends, also after
   * an error or a cancel. The paths {@link #from} and {@link #to} begin at these places. A zip
   * archive can be the source; for one as the destination give the hierarchy of {@code
   * ZipStore.create}.
   */
  public static ZarrCopy of(ZarrLocation source, ZarrLocation destination) {
    return new ZarrCopy(CopyEnd.source(source), CopyEnd.destination(destination), new Choices());
  }

  /** Copies only the node at {@code path}, and everything below it. */
  public ZarrCopy from(String path) {
    return with(changed -> changed.from = NodePath.of(path));
  }

  /** Copies to {@code path}, and creates the missing groups above it. */
  public ZarrCopy to(String path) {
    return with(changed -> changed.to = NodePath.of(path));
  }

  /**
   * Copies only these elements of an array, which is the node {@link #from}: the copy has their
   * shape. Every dimension stays, so that an index is a slice of length 1; lists of indices may be
   * among the slices. Chunks begin with the first element that is copied.
   */
  public ZarrCopy select(Selection elements) {
    return with(changed -> changed.selection = elements);
  }

  /**
   * Copies only these indices of every array that has a dimension of this name, by {@code
   * dimension_names} or by a convention of Zarr v2: of a dataset a part, in which all variables
   * stay as long as each other. Every dimension stays, so that an index is a slice of length 1. A
   * name that no array has, or that has two extents, is an {@link IllegalArgumentException}. Each
   * call is for one dimension; {@link #select(Selection)} overrules all of them.
   */
  public ZarrCopy select(String dimension, DimensionSelection indices) {
    return with(
        changed -> changed.dimensions = Choices.with(changed.dimensions, dimension, indices));
  }

  /**
   * Copies only the nodes that one of the globs matches, all below them, and the groups above them.
   * The globs match paths relative to the node {@link #from}: {@code *} stands for a part of a
   * name, {@code ?} for one character, {@code **} for any number of names. A glob that matches no
   * node is an {@link IllegalArgumentException}. Adds to the globs of earlier calls.
   */
  public ZarrCopy include(String... globs) {
    return with(changed -> changed.include = Choices.joined(changed.include, globs));
  }

  /**
   * Leaves out the nodes that one of the globs matches, and all below them; see {@link #include},
   * which it overrules. Nodes that are left out need not be readable.
   */
  public ZarrCopy exclude(String... globs) {
    return with(changed -> changed.exclude = Choices.joined(changed.exclude, globs));
  }

  /**
   * Writes the documents of this version of Zarr, 2 or 3. By default nodes keep theirs, except that
   * drafts of Zarr v3 become Zarr v3.
   *
   * <p>Codecs get the name that Zarr v3 has for them. The others of Zarr v2 stay {@code
   * numcodecs.<id>}, which zarr-python reads too. In Zarr v2 the names of dimensions are in the
   * attribute {@code _ARRAY_DIMENSIONS}. Fill values and the attribute {@code _FillValue} get the
   * form in which xarray reads the same values, see {@link #xarrayConventions}.
   */
  public ZarrCopy zarrFormat(int format) {
    if (format != 2 && format != 3) {
      throw new IllegalArgumentException("the Zarr format is 2 or 3, not " + format);
    }
    return with(changed -> changed.zarrFormat = format);
  }

  /**
   * Chooses the metadata of arrays with named dimensions that change their format. With {@code
   * true}, the default, xarray and programs that follow it read the same values. With {@code false}
   * the metadata that Zarr itself reads are kept bit for bit.
   *
   * <ul>
   *   <li>{@code _ARRAY_DIMENSIONS} is an attribute in Zarr v2, of a scalar too, and none in v3.
   *   <li>The fill value stands for missing data in Zarr v2; in v3 the attribute {@code _FillValue}
   *       does. If v3 has none, the fill value of v2 is null. A chunk that is missing in the source
   *       is then stored, because it would have no value.
   * </ul>
   *
   * Each change is in the {@link CopyProgress#report()}.
   */
  public ZarrCopy xarrayConventions(boolean follow) {
    return with(changed -> changed.conventions = follow);
  }

  /**
   * Writes chunks of this shape. They are the inner chunks if {@link #shardShape} is given too, and
   * otherwise the copy has no shards. Arrays with another number of dimensions keep theirs, or have
   * the shape of another call: each call is for one number of dimensions. A shape that fits no
   * array is an {@link IllegalArgumentException}.
   */
  public ZarrCopy chunkShape(long... shape) {
    return with(changed -> changed.chunkShapes = Choices.with(changed.chunkShapes, shape));
  }

  /**
   * Writes shards of this shape, of whole chunks each. The inner chunks have the {@link
   * #chunkShape}, by default that of the array's chunks. Each call is for arrays with as many
   * dimensions.
   */
  public ZarrCopy shardShape(long... shape) {
    return with(changed -> changed.shardShapes = Choices.with(changed.shardShapes, shape));
  }

  /**
   * Writes chunks of a shape that follows from each array's metadata, such as a size in bytes; as
   * {@link #chunkShape(long...)}, which holds where the choice is empty. The metadata have the
   * shape of the part that is copied.
   *
   * @param choice empty for the chunks that the array has
   */
  public ZarrCopy chunkShape(Function<ArrayMetadata, Optional<Shape>> choice) {
    return with(changed -> changed.chunkChoice = choice);
  }

  /**
   * Writes shards of a shape that follows from each array's metadata and from the shape of its
   * chunks; as {@link #shardShape(long...)}, which holds where the choice is empty.
   *
   * @param choice empty for an array without a new shard shape
   */
  public ZarrCopy shardShape(BiFunction<ArrayMetadata, Shape, Optional<Shape>> choice) {
    return with(changed -> changed.shardChoice = choice);
  }

  /**
   * Takes sharded arrays out of their shards: their inner chunks, of shards in shards the innermost
   * ones, become the chunks of the copy. Arrays with a {@link #chunkShape} or a {@link #shardShape}
   * of their own have that.
   */
  public ZarrCopy withoutShards() {
    return with(changed -> changed.unsharded = true);
  }

  /**
   * Encodes chunks, or the inner chunks of shards, with these codecs. With an array→bytes codec
   * among them they are the whole chain of every array. Otherwise they replace the array's
   * bytes→bytes codecs; an empty list writes uncompressed chunks. Members that the configuration of
   * {@code blosc} lacks follow from the data type of each array.
   */
  public ZarrCopy codecs(NamedConfiguration... codecs) {
    return with(changed -> changed.codecs = List.of(codecs));
  }

  /** Sets the policy for a destination that exists. By default the copy is refused. */
  public ZarrCopy ifExists(IfExists policy) {
    return with(changed -> changed.ifExists = policy);
  }

  /**
   * Consolidates the metadata of the copy at its end, or does not. The default is that of the
   * source's root. A root that is an array has nothing to consolidate.
   *
   * <p>Groups above the copy lose their consolidated metadata, which would not list it. Unless this
   * is {@code false}, they are renewed at the end; {@link CopyReport#consolidated} names the
   * groups.
   */
  public ZarrCopy consolidated(boolean consolidate) {
    return with(changed -> changed.consolidated = consolidate);
  }

  /**
   * Copies keys that belong to no node too, for example files of another program. By default they
   * are only counted. A key with another meaning in the copy is left out. Both are in the {@link
   * CopyProgress#report()}. The source must be able to list its keys.
   */
  public ZarrCopy allFiles(boolean copy) {
    return with(changed -> changed.allFiles = copy);
  }

  /**
   * Runs the copy. Cold: each subscription copies again. All nodes are read and converted before
   * the first write; their metadata are held to the end. The first progress has no finished work;
   * others follow as chunks and nodes are finished, and the publisher completes when everything is
   * stored. A slow subscriber slows the copy down. Signals come on a thread of the codec scheduler
   * or of a store.
   *
   * <p>A cancel ends all work in flight except chunks that are being stored. After a cancel or an
   * error the destination holds an unfinished copy.
   *
   * <p>Errors: {@link dev.zarrreactive.error.UnsupportedFeatureException} for a feature that the
   * other format lacks, {@link dev.zarrreactive.error.NodeExistsException} for a destination that
   * exists, or differs from the copy to resume, {@link IllegalArgumentException} for a source and a
   * destination of which one contains the other, and the errors of reading and writing.
   */
  public Flux<CopyProgress> run() {
    return between(this::run).checkpoint("zarr copy of " + choices.from + " to " + choices.to);
  }

  private Flux<CopyProgress> run(ZarrHierarchy from, ZarrHierarchy to) {
    Boolean consolidates = choices.consolidated;
    return plan(from, to)
        .flatMapMany(
            plan ->
                new CopyRun(plan, to, foreign(from, to, plan))
                    .progress(
                        choices.ifExists,
                        consolidates != null ? consolidates : plan.consolidated(),
                        consolidates == null || consolidates));
  }

  private <T> Flux<T> between(BiFunction<ZarrHierarchy, ZarrHierarchy, Flux<T>> work) {
    return source.with(from -> destination.with(to -> work.apply(from, to)));
  }

  /**
   * Emits what {@link #run} would copy, and writes nothing: a dry run. Reads the metadata of all
   * nodes, and lists the stored chunks of the arrays if the source can be listed. Cold. Its errors
   * are those of {@code run} before the first write; what reading a chunk would say is unknown.
   */
  public Mono<CopyOutline> outline() {
    return between((from, to) -> outline(from, to).flux())
        .single()
        .checkpoint("zarr copy of " + choices.from + " to " + choices.to + ", dry run");
  }

  private Mono<CopyOutline> outline(ZarrHierarchy from, ZarrHierarchy to) {
    return plan(from, to)
        .flatMap(plan -> new CopyRun(plan, to, Flux.empty()).outline(choices.ifExists));
  }

  private Mono<CopyPlan> plan(ZarrHierarchy from, ZarrHierarchy to) {
    Choices all = choices;
    return Mono.defer(
        () -> {
          checkApart(from.store(), to.store());
          return CopyPlan.of(
              from,
              new NodeChoice(all.from, all.selection, all.dimensions, all.include, all.exclude),
              to,
              all.to,
              new CopyConversion(
                  all.zarrFormat,
                  all.chunkShapes,
                  all.shardShapes,
                  all.chunkChoice,
                  all.shardChoice,
                  all.unsharded,
                  all.codecs,
                  all.conventions));
        });
  }

  private Flux<Step> foreign(ZarrHierarchy from, ZarrHierarchy to, CopyPlan plan) {
    return new ForeignFiles(from, choices.from, to, choices.to, plan).steps(choices.allFiles);
  }

  private boolean overlap(Store source, Store destination) {
    NodePath from = choices.from;
    NodePath to = choices.to;
    if (source instanceof FileSystemStore files && destination instanceof FileSystemStore others) {
      return overlap(directory(files, from), directory(others, to));
    }
    return source.equals(destination)
        && (from.prefix().value().startsWith(to.prefix().value())
            || to.prefix().value().startsWith(from.prefix().value()));
  }

  private void checkApart(Store source, Store destination) {
    if (overlap(source, destination)) {
      throw new IllegalArgumentException(
          "cannot copy "
              + choices.from
              + " to "
              + choices.to
              + " of the same store: one would hold the other");
    }
  }

  private static Path directory(FileSystemStore store, NodePath node) {
    return store.directory().resolve(node.value().substring(1)).normalize();
  }

  private static boolean overlap(Path one, Path other) {
    return one.startsWith(other) || other.startsWith(one);
  }

  @Override
  public String toString() {
    return "copy of " + choices.from + " in " + source + " to " + choices.to + " in " + destination;
  }
}
