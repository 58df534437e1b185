package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.icechunk.SnapshotEntry;
import dev.zarrreactive.internal.icechunk.SnapshotFile;
import dev.zarrreactive.internal.icechunk.YamlConfig;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.store.ListEntry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The state of a repository of version 1, in which each branch and tag is a key, and the history is
 * in the snapshots.
 */
final class RefsInKeys implements Refs {
  /** The key that each repository of version 1 has. */
  static final StoreKey MAIN = StoreKey.of("refs/branch.main/ref.json");

  private static final StorePrefix REFS = StorePrefix.of("refs/");
  private static final StoreKey CONFIG = StoreKey.of("config.yaml");
  private static final String BRANCH = "branch.";
  private static final String TAG = "tag.";
  private static final String FILE = "ref.json";
  private static final String TOMBSTONE = "ref.json.deleted";
  private static final ByteRange MOST_BYTES = ByteRange.whole(1 << 20);
  private static final int TOGETHER = 16;

  private final RepositoryFiles files;
  private final String main;

  private RefsInKeys(RepositoryFiles files, String main) {
    this.files = files;
    this.main = main;
  }

  /** Emits the value of {@link #MAIN}; empty where there is none. */
  static Mono<Bytes> request(RepositoryFiles files) {
    return files.store().get(MAIN, MOST_BYTES);
  }

  /** Returns the state that begins with the value of {@link #MAIN}. */
  static Refs of(RepositoryFiles files, Bytes main) {
    return new RefsInKeys(files, snapshot(main, MAIN));
  }

  /** The snapshot that the value of a branch or tag names. */
  private static String snapshot(Bytes value, StoreKey key) {
    String id =
        JsonDocument.parse(value.asByteBuffer(), Location.ofKey(key.value()))
            .member("snapshot")
            .string();
    return Missing.checkedId(id);
  }

  @Override
  public int specVersion() {
    return 1;
  }

  @Override
  public Flux<IcechunkRef> branches() {
    return refs(BRANCH, name -> branch(name));
  }

  @Override
  public Flux<IcechunkRef> tags() {
    return refs(TAG, name -> tag(name));
  }

  /** A look-up of a branch or a tag by its name. */
  private interface LookUp {
    Mono<String> snapshot(String name);
  }

  private Flux<IcechunkRef> refs(String kind, LookUp lookUp) {
    return Concurrently.mapInOrder(
        names(kind),
        TOGETHER,
        name -> lookUp.snapshot(name).map(snapshot -> new IcechunkRef(name, snapshot)));
  }

  private Flux<String> names(String kind) {
    return Flux.defer(() -> files.store().listDir(REFS))
        .filter(entry -> entry instanceof ListEntry.Prefix && entry.name().startsWith(kind))
        .map(entry -> entry.name().substring(kind.length()))
        .sort();
  }

  /** The snapshot of a branch; empty where there is none. */
  private Mono<String> branch(String name) {
    StoreKey key = key(BRANCH, name, FILE);
    if (key == null) {
      return Mono.empty();
    }
    return key.equals(MAIN)
        ? Mono.just(main)
        : files.store().get(key, MOST_BYTES).map(value -> snapshot(value, key));
  }

  /** The snapshot of a tag; empty where there is none, or it was deleted. */
  private Mono<String> tag(String name) {
    return tagAndTombstone(name)
        .filter(found -> found.get(1).isEmpty())
        .flatMap(found -> Mono.justOrEmpty(found.get(0)))
        .map(value -> snapshot(value, StoreKey.of(REFS.value() + TAG + name + "/" + FILE)));
  }

  private Mono<List<Optional<Bytes>>> tagAndTombstone(String name) {
    StoreKey file = key(TAG, name, FILE);
    StoreKey tombstone = key(TAG, name, TOMBSTONE);
    return file == null || tombstone == null
        ? Mono.just(List.of(Optional.empty(), Optional.empty()))
        : Concurrently.mapInOrder(
                Flux.just(file, tombstone),
                2,
                key ->
                    files
                        .store()
                        .get(key, MOST_BYTES)
                        .map(Optional::of)
                        .defaultIfEmpty(Optional.empty()))
            .collectList();
  }

  /** The key of a branch or tag; null for a name that none can have. */
  private static @Nullable StoreKey key(String kind, String name, String file) {
    try {
      return name.indexOf('/') >= 0 ? null : StoreKey.of(REFS.value() + kind + name + "/" + file);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  @Override
  public Mono<String> snapshotOf(IcechunkVersion wanted) {
    return Mono.defer(
        () -> {
          if (wanted instanceof IcechunkVersion.Branch branch) {
            return tip(branch.name());
          }
          if (wanted instanceof IcechunkVersion.Tag tag) {
            return tag(tag.name()).switchIfEmpty(noTag(tag.name()));
          }
          if (wanted instanceof IcechunkVersion.AsOf past) {
            return asOf(past.branch(), past.time());
          }
          return Mono.just(Missing.checkedId(((IcechunkVersion.Id) wanted).snapshot()));
        });
  }

  private Mono<String> tip(String name) {
    return branch(name)
        .switchIfEmpty(
            known(BRANCH).flatMap(names -> Mono.error(Missing.branch(files, name, names))));
  }

  private Mono<String> noTag(String name) {
    return known(TAG)
        .flatMap(
            names ->
                Mono.error(Missing.tag(files, name, names.contains(name), without(names, name))));
  }

  private static List<String> without(List<String> names, String name) {
    return names.stream().filter(each -> !each.equals(name)).toList();
  }

  /** The names of branches or tags, for an error; none where the store does not list. */
  private Mono<List<String>> known(String kind) {
    return names(kind).collectList().onErrorReturn(StoreException.class, List.of());
  }

  private Mono<String> asOf(String branch, Instant time) {
    return tip(branch)
        .flatMapMany(this::history)
        .takeUntil(entry -> !entry.time().isAfter(time))
        .last()
        .map(
            entry -> {
              if (entry.time().isAfter(time)) {
                throw Missing.before(files, branch, time, entry.time());
              }
              return entry.id();
            });
  }

  @Override
  public Mono<SnapshotEntry> entry(String snapshot) {
    return Mono.empty();
  }

  @Override
  public Flux<SnapshotEntry> history(String snapshot) {
    return files
        .snapshot(snapshot)
        .map(first -> new Walk(first.entry(), first.entry().id(), 1, 1))
        .expand(
            walk -> {
              String parent = walk.entry.parent();
              return parent == null
                  ? Mono.empty()
                  : files.snapshot(parent).map(SnapshotFile::entry).map(walk::to);
            })
        .map(Walk::entry);
  }

  /**
   * Where a walk through the history stands. A circle is found by comparing each snapshot with one
   * that was passed, which moves on after 1, 2, 4 … steps.
   *
   * @param passed the id of the snapshot that the next ones are compared with
   * @param left the steps until it moves on
   * @param next the steps that it stays then
   */
  private record Walk(SnapshotEntry entry, String passed, long left, long next) {
    Walk to(SnapshotEntry parent) {
      if (parent.id().equals(passed)) {
        throw new StoreException(
            "a damaged Icechunk repository: the snapshots before it make a circle",
            Location.ofKey("snapshots/" + parent.id()));
      }
      return left == 1
          ? new Walk(parent, parent.id(), 2 * next, 2 * next)
          : new Walk(parent, passed, left - 1, next);
    }
  }

  /** A repository of version 1 has no status. */
  @Override
  public IcechunkStatus status() {
    return new IcechunkStatus(false, null, null, Set.of());
  }

  @Override
  public Flux<IcechunkContainer> containers() {
    return Mono.defer(() -> files.store().get(CONFIG, MOST_BYTES))
        .flatMapIterable(yaml -> Containers.of(YamlConfig.read(yaml, CONFIG.value())));
  }

  /** Version 1 has no locations that begin with the name of a container. */
  @Override
  public Map<String, String> containerNames() {
    return Map.of();
  }

  @Override
  public List<String> disorders() {
    return List.of();
  }

  /** Looks for version 2 again, to which the repository may have been migrated. */
  @Override
  public Mono<Refs> refresh() {
    return Icechunk.detect(files, true);
  }
}
