package dev.zarrreactive.server;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Versions in memory. A view of them does not change; a refresh makes another. */
final class TestVersions implements StoreVersions {
  static final StoreKey KEY = StoreKey.of("a/c/0");
  static final String GROUP = "{\"zarr_format\":3,\"node_type\":\"group\"}";

  /** What all views share. */
  private static final class Repository {
    final Map<String, Snapshot> snapshots = new LinkedHashMap<>();
    final Map<String, Store> stores = new LinkedHashMap<>();
    final Map<String, String> branches = new LinkedHashMap<>();
    final Map<String, String> tags = new LinkedHashMap<>();
    final List<String> opened = new CopyOnWriteArrayList<>();
    final AtomicInteger refreshes = new AtomicInteger();
  }

  private final Repository repository;
  private final Map<String, String> branches;

  private TestVersions(Repository repository) {
    this.repository = repository;
    this.branches = Map.copyOf(repository.branches);
  }

  TestVersions() {
    this(new Repository());
  }

  /** Commits a value to a branch, and returns the id of the snapshot. */
  String commit(String branch, String value) {
    MemoryStore store = MemoryStore.create();
    store.set(StoreKey.of("zarr.json"), Bytes.utf8(GROUP)).block();
    store.set(KEY, Bytes.utf8(value)).block();
    return commit(branch, value, store);
  }

  /** Commits a hierarchy to a branch, and returns the id of the snapshot. */
  String commit(String branch, String value, Store store) {
    String parent = repository.branches.get(branch);
    int number = repository.snapshots.size();
    String id = "S" + number;
    Instant time = Instant.parse("2026-01-01T00:00:00Z").plusSeconds(number);
    repository.snapshots.put(
        id, new Snapshot(id, parent, time, "<b>" + value + "</b>", JsonObject.EMPTY));
    repository.stores.put(id, store);
    repository.branches.put(branch, id);
    return id;
  }

  void tag(String name, String id) {
    repository.tags.put(name, id);
  }

  List<String> opened() {
    return repository.opened;
  }

  int refreshes() {
    return repository.refreshes.get();
  }

  @Override
  public String served() {
    return "branch.main";
  }

  @Override
  public Flux<Named> branches() {
    return named(branches);
  }

  @Override
  public Flux<Named> tags() {
    return named(repository.tags);
  }

  private static Flux<Named> named(Map<String, String> refs) {
    return Flux.fromIterable(refs.entrySet())
        .map(ref -> new Named(ref.getKey(), ref.getValue()))
        .sort((a, b) -> a.name().compareTo(b.name()));
  }

  @Override
  public Mono<Snapshot> find(String version) {
    String id =
        version.startsWith("branch.")
            ? branches.get(version.substring(7))
            : version.startsWith("tag.") ? repository.tags.get(version.substring(4)) : version;
    return Mono.justOrEmpty(id).mapNotNull(repository.snapshots::get);
  }

  @Override
  public Flux<Snapshot> history(String id) {
    List<Snapshot> all = new ArrayList<>();
    for (@Nullable String at = id; at != null; at = repository.snapshots.get(at).parent()) {
      all.add(repository.snapshots.get(at));
    }
    return Flux.fromIterable(all);
  }

  @Override
  public Mono<Store> open(String id) {
    return Mono.fromSupplier(
        () -> {
          repository.opened.add(id);
          return repository.stores.get(id);
        });
  }

  @Override
  public Mono<StoreVersions> refresh() {
    return Mono.fromSupplier(
        () -> {
          repository.refreshes.incrementAndGet();
          return new TestVersions(repository);
        });
  }
}
