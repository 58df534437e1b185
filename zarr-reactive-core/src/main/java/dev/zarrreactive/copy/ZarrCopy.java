package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.copy.CopyProgress.Step;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.FileSystemStore;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * A copy of a node and of everything below it, into another place, store, format, chunk grid or
 * codec chain. Immutable; each method but {@link #run} makes a changed copy of this description.
 *
 * <pre>{@code
 * Flux<CopyProgress> copy =
 *     ZarrCopy.of(Zarr.hierarchy(source), Zarr.hierarchy(target)).zarrFormat(3).run();
 * }</pre>
 *
 * <p><b>What is kept:</b> groups, attributes, names of dimensions, data types, fill values bit for
 * bit, the chunk key encoding, and every element; from format to format, what xarray sees ({@link
 * #xarrayConventions}). A document that need not change is kept member by member. Consolidated
 * metadata are not copied but made again, for they would be those of other arrays.
 *
 * <p><b>Chunks.</b> Where data type, chunk grid and codecs stay the same, the stored bytes are
 * handed on as they are, and a chunk that is missing stays missing. Otherwise each chunk of the
 * copy (a shard, where there are shards) is written once, whole; one that is all fill value is not
 * stored, unless {@link dev.zarrreactive.ZarrOptions#withWriteEmptyChunks} of the destination says
 * so. Where chunks of the source are longer, several chunks of the copy are made at a time, so that
 * what is fetched and decoded serves as many as memory allows.
 *
 * <p><b>Limits</b> are the destination's options: {@code maxInFlightBytes} for everything that the
 * copy holds at a time, and {@code maxConcurrency}. A single chunk, of the source or of the copy,
 * that is larger goes through alone.
 *
 * <p><b>Half a copy</b> is no node. Until an array is complete its document stands under the name
 * {@code zarr.json.partial} ({@code .zarray.partial}), and that of a group until all below it is
 * there; the root's is the last. So what a process leaves that was killed cannot be opened at its
 * root, and {@link IfExists#RESUME} goes on with it. An array below that is complete can be opened
 * already. A store that cannot erase gets no such documents, and a copy into it cannot be resumed;
 * a new zip archive gets none, for it is no archive before it is closed.
 */
public final class ZarrCopy {
  private final ZarrHierarchy source;
  private final NodePath from;
  private final ZarrHierarchy destination;
  private final NodePath to;
  private final Changes changes;
  private final IfExists ifExists;
  private final @Nullable Boolean consolidated;
  private final boolean allFiles;

  private ZarrCopy(
      ZarrHierarchy source,
      NodePath from,
      ZarrHierarchy destination,
      NodePath to,
      Changes changes,
      IfExists ifExists,
      @Nullable Boolean consolidated,
      boolean allFiles) {
    this.source = source;
    this.from = from;
    this.destination = destination;
    this.to = to;
    this.changes = changes;
    this.ifExists = ifExists;
    this.consolidated = consolidated;
    this.allFiles = allFiles;
  }

  /** A copy of all of {@code source} to the root of {@code destination}. */
  public static ZarrCopy of(ZarrHierarchy source, ZarrHierarchy destination) {
    return new ZarrCopy(
        source,
        NodePath.ROOT,
        destination,
        NodePath.ROOT,
        Changes.NONE,
        IfExists.REFUSE,
        null,
        false);
  }

  /** Only of the node at {@code path}, and what is below it. */
  public ZarrCopy from(String path) {
    return new ZarrCopy(
        source, NodePath.of(path), destination, to, changes, ifExists, consolidated, allFiles);
  }

  /** To {@code path}; groups that are missing above it are made. */
  public ZarrCopy to(String path) {
    return new ZarrCopy(
        source, from, destination, NodePath.of(path), changes, ifExists, consolidated, allFiles);
  }

  /**
   * In the documents of this version of Zarr: 2 or 3. Without, nodes keep theirs, but for those of
   * drafts of Zarr v3, which become ones of Zarr v3.
   *
   * <p>Codecs that Zarr v3 has a name for get it; others of Zarr v2 stay {@code numcodecs.<id>},
   * which zarr-python knows too. Names of dimensions are looked for, and put, in the attribute
   * {@code _ARRAY_DIMENSIONS} of Zarr v2; fill values and the attribute {@code _FillValue} become
   * what xarray sees the same values by, see {@link #xarrayConventions}.
   */
  public ZarrCopy zarrFormat(int format) {
    if (format != 2 && format != 3) {
      throw new IllegalArgumentException("the Zarr format is 2 or 3, not " + format);
    }
    return with(changes.withZarrFormat(format));
  }

  /**
   * With the metadata of the copy such that xarray, and programs that follow it, see the same in
   * the other format ({@code true}, the default), or with only what Zarr itself reads kept bit for
   * bit ({@code false}). Concerns arrays whose dimensions have names, where the format changes:
   *
   * <ul>
   *   <li>{@code _ARRAY_DIMENSIONS} is an attribute in Zarr v2, of a scalar too, and none in v3.
   *   <li>The fill value stands for missing data in Zarr v2, and in v3 the attribute {@code
   *       _FillValue} does. Where v3 has none, the fill value of v2 is null; a chunk that is
   *       missing in the source is stored then, for it would have no value.
   * </ul>
   *
   * Each change is in the {@link CopyProgress#report()}.
   */
  public ZarrCopy xarrayConventions(boolean follow) {
    return with(changes.withConventions(follow));
  }

  /**
   * In chunks of this shape, and not in shards unless {@link #shardShape} is given too, whose inner
   * chunks they are then. Arrays with another number of dimensions keep theirs; where every array
   * has, that is an {@link IllegalArgumentException}.
   */
  public ZarrCopy chunkShape(long... shape) {
    return with(changes.withChunkShape(positive(shape)));
  }

  /**
   * In shards of this shape, of whole chunks each; otherwise as {@link #chunkShape}. Where that is
   * not given, the chunks that the array has become inner chunks.
   */
  public ZarrCopy shardShape(long... shape) {
    return with(changes.withShardShape(positive(shape)));
  }

  private static Shape positive(long... shape) {
    for (long extent : shape) {
      if (extent < 1) {
        throw new IllegalArgumentException("a chunk has at least one element in each dimension");
      }
    }
    return Shape.of(shape);
  }

  /**
   * Encoded by these codecs, which of shards are those of the inner chunks. Where none of them is
   * an array→bytes codec, they stand in the place of the array's bytes→bytes codecs; so an empty
   * list means that nothing is compressed. Otherwise they are the whole chain of every array.
   * Members that the configuration of {@code blosc} lacks follow from the data type of each array.
   */
  public ZarrCopy codecs(NamedConfiguration... codecs) {
    return with(changes.withCodecs(List.of(codecs)));
  }

  private ZarrCopy with(Changes others) {
    return new ZarrCopy(source, from, destination, to, others, ifExists, consolidated, allFiles);
  }

  /** What to do where the destination is there already; without, the copy is refused. */
  public ZarrCopy ifExists(IfExists policy) {
    return new ZarrCopy(source, from, destination, to, changes, policy, consolidated, allFiles);
  }

  /**
   * With the metadata of the copy consolidated in the end, or not; without, as the root of the
   * source has them. Does nothing where the root is an array.
   */
  public ZarrCopy consolidated(boolean consolidate) {
    return new ZarrCopy(source, from, destination, to, changes, ifExists, consolidate, allFiles);
  }

  /**
   * With keys copied too that belong to no node, such as files of another program beside them; by
   * default they are only counted. A key that means something else in the copy is left out. Either
   * is in the {@link CopyProgress#report()}. A store that cannot list has none to copy.
   */
  public ZarrCopy allFiles(boolean copy) {
    return new ZarrCopy(source, from, destination, to, changes, ifExists, consolidated, copy);
  }

  /**
   * Does it. Cold: each subscription copies anew. All nodes are looked at and converted before
   * anything is written; their metadata is held to the end. Then the progress is told, at first
   * with nothing done, then whenever chunks or a node are done with, and completes when everything
   * is stored. Under demand: a subscriber that is slow slows the copy. Signals come on a thread of
   * the codec scheduler or of a store.
   *
   * <p>A cancel gives up what is under way, but for chunks that are being stored. After it, and
   * after an error, the destination holds an unfinished copy.
   *
   * <p>Errors: {@link dev.zarrreactive.error.UnsupportedFeatureException} where the other format
   * has no words for something, {@link dev.zarrreactive.error.NodeExistsException} where the
   * destination is there, or is not what is to be resumed, {@link IllegalArgumentException} where
   * source and destination are, or hold, one another; and whatever reading and writing may end in.
   */
  public Flux<CopyProgress> run() {
    return Flux.defer(
            () -> {
              checkApart();
              return CopyPlan.of(source, from, destination, to, changes)
                  .flatMapMany(
                      plan ->
                          new CopyRun(plan, destination, foreign(plan))
                              .progress(
                                  ifExists,
                                  consolidated != null ? consolidated : plan.consolidated()));
            })
        .checkpoint("zarr copy of " + from + " to " + to);
  }

  private Flux<Step> foreign(CopyPlan plan) {
    return new ForeignFiles(source, from, destination, to, plan.nodes()).steps(allFiles);
  }

  private boolean overlap() {
    if (source.store() instanceof FileSystemStore files
        && destination.store() instanceof FileSystemStore others) {
      return overlap(directory(files, from), directory(others, to));
    }
    return source.store().equals(destination.store())
        && (from.prefix().value().startsWith(to.prefix().value())
            || to.prefix().value().startsWith(from.prefix().value()));
  }

  private void checkApart() {
    if (overlap()) {
      throw new IllegalArgumentException(
          "cannot copy " + from + " to " + to + " of the same store: one would hold the other");
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
    return "copy of " + from + " in " + source.store() + " to " + to + " in " + destination.store();
  }
}
