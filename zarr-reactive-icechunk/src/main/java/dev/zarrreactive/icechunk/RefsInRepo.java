package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.icechunk.Feature;
import dev.zarrreactive.internal.icechunk.RepoFile;
import dev.zarrreactive.internal.icechunk.SnapshotEntry;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The state of a repository of version 2, in which one file has it all. */
final class RefsInRepo implements Refs {
  static final StoreKey KEY = StoreKey.of(RepoFile.KEY);

  private final RepositoryFiles files;
  private final RepoFile repo;
  private final @Nullable Version version;

  private RefsInRepo(RepositoryFiles files, RepoFile repo, @Nullable Version version) {
    this.files = files;
    this.repo = repo;
    this.version = version;
  }

  /** Emits the file {@code repo}, or that it is unchanged; empty where there is none. */
  static Mono<VersionedBytes> request(RepositoryFiles files, ReadCondition condition) {
    ByteRange bound = ByteRange.whole(files.options().maxFileBytes());
    return files.store().capabilities().contains(StoreCapability.VERSIONS)
        ? files.store().getVersioned(KEY, bound, condition)
        : files.store().get(KEY, bound).map(bytes -> new VersionedBytes(bytes, null));
  }

  /** Emits the state that a file has. */
  static Mono<Refs> read(RepositoryFiles files, VersionedBytes file) {
    return Mono.just(file)
        .publishOn(IcechunkThreads.decoding())
        .map(
            read ->
                new RefsInRepo(
                    files,
                    files.decode(
                        Objects.requireNonNull(read.bytes()),
                        RepoFile.KEY,
                        (bytes, key, most) -> RepoFile.read(bytes, most)),
                    read.version()))
        .map(RefsInRepo::online);
  }

  private RefsInRepo online() {
    RepoFile.Status status = repo.status();
    if (status.availability() == RepoFile.Availability.OFFLINE) {
      throw new StoreException(
          "the Icechunk repository in "
              + files.store()
              + " is offline since "
              + status.since()
              + (status.reason() == null ? "" : ": " + status.reason()),
          Location.ofKey(RepoFile.KEY));
    }
    return this;
  }

  @Override
  public int specVersion() {
    return 2;
  }

  @Override
  public Flux<IcechunkRef> branches() {
    return refs(repo.branches());
  }

  @Override
  public Flux<IcechunkRef> tags() {
    return refs(repo.tags());
  }

  private Flux<IcechunkRef> refs(Map<String, Integer> all) {
    return Flux.fromIterable(all.entrySet())
        .map(ref -> new IcechunkRef(ref.getKey(), repo.id(ref.getValue())));
  }

  @Override
  public Mono<String> snapshotOf(IcechunkVersion wanted) {
    return Mono.fromSupplier(() -> find(wanted));
  }

  private String find(IcechunkVersion wanted) {
    if (wanted instanceof IcechunkVersion.Branch branch) {
      return repo.id(tip(branch.name()));
    }
    if (wanted instanceof IcechunkVersion.Tag tag) {
      Integer place = repo.tags().get(tag.name());
      if (place == null) {
        throw Missing.tag(files, tag.name(), repo.isDeletedTag(tag.name()), repo.tags().keySet());
      }
      return repo.id(place);
    }
    if (wanted instanceof IcechunkVersion.AsOf past) {
      return repo.id(asOf(past.branch(), past.time()));
    }
    return Missing.checkedId(((IcechunkVersion.Id) wanted).snapshot());
  }

  private int tip(String branch) {
    Integer place = repo.branches().get(branch);
    if (place == null) {
      throw Missing.branch(files, branch, repo.branches().keySet());
    }
    return place;
  }

  private int asOf(String branch, Instant time) {
    int place = tip(branch);
    for (int seen = 0; seen < repo.size(); seen++) {
      if (!repo.time(place).isAfter(time)) {
        return place;
      }
      int parent = repo.parent(place);
      if (parent < 0) {
        throw Missing.before(files, branch, time, repo.time(place));
      }
      place = parent;
    }
    throw repo.circle(place);
  }

  @Override
  public Mono<SnapshotEntry> entry(String snapshot) {
    return Mono.fromSupplier(
        () -> {
          int place = repo.find(snapshot);
          return place < 0 ? null : repo.entry(place);
        });
  }

  @Override
  public Flux<SnapshotEntry> history(String snapshot) {
    return Flux.generate(
        () -> new Walk(repo.find(snapshot), 0),
        (walk, sink) -> {
          if (walk.place < 0) {
            if (walk.seen == 0) {
              sink.error(Missing.unknownSnapshot(files, snapshot));
            } else {
              sink.complete();
            }
            return walk;
          }
          if (walk.seen == repo.size()) {
            sink.error(repo.circle(walk.place));
            return walk;
          }
          sink.next(repo.entry(walk.place));
          return new Walk(repo.parent(walk.place), walk.seen + 1);
        });
  }

  /** Where a walk through the history stands. */
  private record Walk(int place, int seen) {}

  @Override
  public IcechunkStatus status() {
    RepoFile.Status status = repo.status();
    Set<String> disabled = new LinkedHashSet<>();
    repo.disabledFeatures().forEach(number -> disabled.add(Feature.name(number)));
    return new IcechunkStatus(
        status.availability() == RepoFile.Availability.READ_ONLY,
        status.since(),
        status.reason(),
        disabled);
  }

  @Override
  public Flux<IcechunkContainer> containers() {
    return Flux.defer(() -> Flux.fromIterable(Containers.of(repo.config())));
  }

  @Override
  public Map<String, String> containerNames() {
    Map<String, String> names = new LinkedHashMap<>();
    for (IcechunkContainer container : Containers.of(repo.config())) {
      String name = container.name();
      if (name != null) {
        names.put(name, container.urlPrefix());
      }
    }
    return names;
  }

  @Override
  public List<String> disorders() {
    return repo.disorders();
  }

  @Override
  public Mono<Refs> refresh() {
    return request(files, version == null ? ReadCondition.ALWAYS : ReadCondition.ifChanged(version))
        .switchIfEmpty(Mono.error(() -> Missing.repository(files)))
        .flatMap(read -> read.isUnchanged() ? Mono.just(this) : read(files, read));
  }
}
