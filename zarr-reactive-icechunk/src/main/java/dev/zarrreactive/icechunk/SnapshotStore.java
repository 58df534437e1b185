package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.icechunk.ChunkReference;
import dev.zarrreactive.internal.icechunk.ManifestFile;
import dev.zarrreactive.internal.icechunk.SnapshotFile;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreSnapshot;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.virtual.ObjectChecksum;
import dev.zarrreactive.virtual.Reference;
import dev.zarrreactive.virtual.VirtualContainers;
import dev.zarrreactive.virtual.VirtualLocation;
import dev.zarrreactive.virtual.VirtualStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One snapshot as a store that is read. Metadata documents are in memory. A chunk costs one request
 * where its manifest is cached; a listing asks for the manifests of the arrays that it lists.
 */
final class SnapshotStore extends VirtualStore implements StoreSnapshot {
  private static final String DOCUMENT = "zarr.json";

  /** How many manifests a listing reads ahead. */
  private static final int AHEAD = 4;

  /** How many manifests one look-up of many keys holds. */
  private static final int MOST_HELD = 64;

  private final RepositoryFiles files;
  private final SnapshotFile snapshot;
  private final Version version;
  private final IcechunkOrigin origin;

  /**
   * Creates a store.
   *
   * @param origin the version of it
   */
  SnapshotStore(
      RepositoryFiles files,
      SnapshotFile snapshot,
      VirtualContainers containers,
      IcechunkOrigin origin) {
    super(containers);
    this.files = files;
    this.snapshot = snapshot;
    this.version = new Version(snapshot.entry().id());
    this.origin = origin;
  }

  IcechunkOrigin origin() {
    return origin;
  }

  @Override
  public String id() {
    return origin.snapshot().id();
  }

  /** Looks for another snapshot of a branch; every other version keeps its own. */
  @Override
  public Mono<Store> newest() {
    IcechunkRepository known = origin.repository();
    return origin.version() instanceof IcechunkVersion.Branch
        ? Mono.defer(known::refresh)
            .flatMap(now -> now == known ? Mono.just(this) : now.store(origin.version()))
        : Mono.just(this);
  }

  /** A chunk of the grid that a manifest may have, by the number of the first one that may. */
  private static final class WantedChunk {
    final SnapshotFile.ArrayNode array;
    final int[] index;
    final int manifest;

    WantedChunk(SnapshotFile.ArrayNode array, int[] index, int manifest) {
      this.array = array;
      this.index = index;
      this.manifest = manifest;
    }

    String manifestId() {
      return array.manifest(manifest);
    }

    /** True where another manifest may have it, too. */
    boolean isAmbiguous() {
      return array.manifestOf(index, manifest + 1) >= 0;
    }
  }

  @Override
  protected Mono<Reference> reference(StoreKey key) {
    Reference document = document(key.value());
    if (document != null) {
      return Mono.just(document);
    }
    WantedChunk chunk = chunk(key.value());
    if (chunk == null) {
      return Mono.empty();
    }
    return chunk.isAmbiguous()
        ? Flux.range(chunk.manifest, chunk.array.manifests() - chunk.manifest)
            .filter(number -> chunk.array.mayHave(number, chunk.index))
            .concatMap(number -> in(number, chunk), 1)
            .next()
        : in(chunk.manifest, chunk);
  }

  /** Looks up many keys in memory, after the manifests that they need were read at once. */
  @Override
  protected Mono<List<Optional<Reference>>> references(List<StoreKey> keys) {
    return Mono.defer(
        () -> {
          Map<String, ManifestFile> manifests = new HashMap<>();
          Set<String> wanted = new LinkedHashSet<>();
          for (StoreKey key : keys) {
            WantedChunk chunk = chunk(key.value());
            if (chunk != null) {
              if (chunk.isAmbiguous()) {
                return super.references(keys);
              }
              String id = chunk.manifestId();
              ManifestFile cached =
                  manifests.containsKey(id) ? manifests.get(id) : files.cachedManifest(id);
              if (cached == null) {
                wanted.add(id);
              } else {
                manifests.put(id, cached);
              }
            }
          }
          if (manifests.size() + wanted.size() > MOST_HELD) {
            return super.references(keys);
          }
          return Concurrently.map(
                  Flux.fromIterable(wanted),
                  MOST_HELD,
                  id -> files.manifest(id).map(manifest -> Map.entry(id, manifest)))
              .doOnNext(read -> manifests.put(read.getKey(), read.getValue()))
              .then(Mono.fromSupplier(() -> answers(keys, manifests)));
        });
  }

  private List<Optional<Reference>> answers(
      List<StoreKey> keys, Map<String, ManifestFile> manifests) {
    List<Optional<Reference>> answers = new ArrayList<>(keys.size());
    for (StoreKey key : keys) {
      Reference answer = document(key.value());
      WantedChunk chunk = answer == null ? chunk(key.value()) : null;
      if (chunk != null) {
        String id = chunk.manifestId();
        answer = find(Objects.requireNonNull(manifests.get(id)), id, chunk);
      }
      answers.add(Optional.ofNullable(answer));
    }
    return answers;
  }

  /** The metadata document that a key names; null where it names none. */
  private @Nullable Reference document(String key) {
    int end = key.length() - DOCUMENT.length();
    if (!key.endsWith(DOCUMENT) || (end > 0 && key.charAt(end - 1) != '/')) {
      return null;
    }
    int node = snapshot.find(path(key.substring(0, end)));
    return node < 0 ? null : new Reference.Inline(snapshot.document(node), version);
  }

  /** The chunk that a key names; null where it names none, or none that a manifest may have. */
  private @Nullable WantedChunk chunk(String key) {
    ChunkKey chunk = ChunkKey.parse(key);
    int node = chunk == null ? -1 : snapshot.find(chunk.path());
    if (chunk == null || node < 0 || !snapshot.isArray(node)) {
      return null;
    }
    SnapshotFile.ArrayNode array = snapshot.array(node);
    int manifest = array.has(chunk.index()) ? array.manifestOf(chunk.index(), 0) : -1;
    return manifest < 0 ? null : new WantedChunk(array, chunk.index(), manifest);
  }

  /** Emits the reference of a chunk in one manifest; empty where it has none. */
  private Mono<Reference> in(int number, WantedChunk chunk) {
    String id = chunk.array.manifest(number);
    ManifestFile cached = files.cachedManifest(id);
    return cached != null
        ? Mono.justOrEmpty(find(cached, id, chunk))
        : files.manifest(id).mapNotNull(manifest -> find(manifest, id, chunk));
  }

  private @Nullable Reference find(ManifestFile manifest, String id, WantedChunk chunk) {
    ManifestFile.References references = manifest.of(chunk.array.id());
    int at = references == null ? -1 : references.find(chunk.index);
    return references == null || at < 0 ? null : reference(references.reference(at), id);
  }

  private Reference reference(ChunkReference found, String manifest) {
    if (found instanceof ChunkReference.Inline inline) {
      return new Reference.Inline(inline.bytes(), new Version(manifest));
    }
    if (found instanceof ChunkReference.Native own) {
      return new Reference.Native(
          files.store(),
          StoreKey.of("chunks/" + own.chunk()),
          new ByteRange.Slice(own.offset(), own.length()),
          new Version(own.chunk() + "." + own.offset() + "." + own.length()));
    }
    ChunkReference.Virtual virtual = (ChunkReference.Virtual) found;
    return new Reference.Virtual(
        VirtualLocation.of(virtual.location(), virtual.offset(), virtual.length())
            .with(checksum(virtual)));
  }

  private static @Nullable ObjectChecksum checksum(ChunkReference.Virtual virtual) {
    String etag = virtual.etag();
    if (etag != null) {
      return new ObjectChecksum.ETag(etag);
    }
    return virtual.lastModified() == 0
        ? null
        : new ObjectChecksum.LastModified(Instant.ofEpochSecond(virtual.lastModified()));
  }

  /** The path of the node whose keys begin with a prefix. */
  private static String path(String prefix) {
    return prefix.isEmpty() ? "/" : "/" + prefix.substring(0, prefix.length() - 1);
  }

  /** The prefix of the keys of the node at a path. */
  private static String prefix(String path) {
    return path.length() == 1 ? "" : path.substring(1) + "/";
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return listValues(prefix).map(ListEntry.Key::key);
  }

  @Override
  public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
    return Flux.defer(
        () -> {
          List<Flux<ListEntry.Key>> parts = new ArrayList<>();
          if (prefix.equals(StorePrefix.ROOT)) {
            parts.add(nodes(0, snapshot.size()));
          } else {
            String path = path(prefix.value());
            int own = snapshot.find(path);
            if (own >= 0) {
              parts.add(nodes(own, own + 1));
            }
            parts.add(nodes(snapshot.ceiling(path + "/"), snapshot.ceiling(path + "0")));
            ChunkKey chunks = chunksAt(prefix);
            if (chunks != null) {
              parts.add(chunks(snapshot.find(chunks.path()), chunks.index()));
            }
          }
          return Flux.concat(parts);
        });
  }

  /** What a prefix says of chunks; null where it is not one of the chunks of an array. */
  private @Nullable ChunkKey chunksAt(StorePrefix prefix) {
    String segments = prefix.value();
    ChunkKey chunks =
        segments.isEmpty() ? null : ChunkKey.parse(segments.substring(0, segments.length() - 1));
    int node = chunks == null ? -1 : snapshot.find(chunks.path());
    return node >= 0
            && chunks != null
            && snapshot.isArray(node)
            && chunks.index().length < snapshot.array(node).rank()
        ? chunks
        : null;
  }

  /** The keys of some nodes. */
  private Flux<ListEntry.Key> nodes(int from, int to) {
    return Concurrently.mapInOrder(
        Flux.range(from, to - from),
        AHEAD,
        node ->
            snapshot.isArray(node)
                ? Flux.concat(
                    List.of(Mono.fromSupplier(() -> document(node)), chunks(node, new int[0])))
                : Mono.fromSupplier(() -> document(node)));
  }

  private ListEntry.Key document(int node) {
    return new ListEntry.Key(
        key(prefix(snapshot.pathOf(node)) + DOCUMENT), snapshot.document(node).size());
  }

  /** The keys of the chunks of an array whose indices begin so. */
  private Flux<ListEntry.Key> chunks(int node, int[] beginning) {
    SnapshotFile.ArrayNode array = snapshot.array(node);
    String prefix = prefix(snapshot.pathOf(node));
    return Concurrently.mapInOrder(
        Flux.range(0, array.manifests()).filter(number -> array.mayHave(number, beginning)),
        AHEAD,
        number ->
            manifestsOf(array, number)
                .flatMapMany(manifests -> chunks(manifests, array, prefix, beginning)));
  }

  /** Emits a manifest, after those before it that may have the same chunks. */
  private Mono<List<ManifestFile>> manifestsOf(SnapshotFile.ArrayNode array, int number) {
    List<Integer> numbers = array.overlapping(number);
    return numbers.isEmpty()
        ? files.manifest(array.manifest(number)).map(List::of)
        : Concurrently.mapInOrder(
                Flux.concat(List.of(Flux.fromIterable(numbers), Flux.just(number))),
                AHEAD,
                each -> files.manifest(array.manifest(each)))
            .collectList();
  }

  /** The keys of the chunks that are in the last one of some manifests, and in none before it. */
  private Flux<ListEntry.Key> chunks(
      List<ManifestFile> manifests, SnapshotFile.ArrayNode array, String prefix, int[] beginning) {
    int last = manifests.size() - 1;
    ManifestFile.References references = manifests.get(last).of(array.id());
    if (references == null) {
      return Flux.empty();
    }
    List<ManifestFile.References> before =
        manifests.subList(0, last).stream()
            .map(manifest -> manifest.of(array.id()))
            .filter(Objects::nonNull)
            .toList();
    int first = references.first(beginning);
    return Flux.range(first, references.firstAfter(beginning) - first)
        .mapNotNull(
            at -> {
              int[] index = references.indexAt(at);
              return array.has(index) && before.stream().allMatch(each -> each.find(index) < 0)
                  ? new ListEntry.Key(key(ChunkKey.of(prefix, index)), references.length(at))
                  : null;
            });
  }

  private StoreKey key(String text) {
    try {
      return StoreKey.of(text);
    } catch (IllegalArgumentException e) {
      throw new StoreException(
          "the snapshot has a node that no key leads to: " + e.getMessage(),
          Location.ofKey("snapshots/" + snapshot.entry().id()),
          e);
    }
  }

  @Override
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return Flux.defer(
        () -> {
          List<Flux<ListEntry>> parts = new ArrayList<>();
          String path = path(prefix.value());
          int own = snapshot.find(path);
          if (own >= 0) {
            parts.add(Flux.defer(() -> Flux.just(document(own))));
            if (snapshot.isArray(own)) {
              parts.add(chunkEntry(own, prefix));
            }
          }
          parts.add(children(prefix));
          return chunksAt(prefix) == null ? Flux.concat(parts) : super.listDir(prefix);
        });
  }

  /** The entry of all chunks of an array; empty where it has none. */
  private Flux<ListEntry> chunkEntry(int node, StorePrefix prefix) {
    String path = prefix.value() + "c";
    return snapshot.find("/" + path) >= 0
        ? Flux.empty()
        : chunks(node, new int[0])
            .take(1)
            .map(
                chunk ->
                    chunk.key().value().equals(path)
                        ? chunk
                        : new ListEntry.Prefix(StorePrefix.of(path + "/")));
  }

  /** The nodes directly below a prefix, also those that only nodes below them tell of. */
  private Flux<ListEntry> children(StorePrefix prefix) {
    String below = "/" + prefix.value();
    return Flux.generate(
        () -> snapshot.ceiling(below),
        (rank, sink) -> {
          int next = rank;
          while (next < snapshot.size()) {
            String path = snapshot.pathOf(next);
            if (!path.startsWith(below)) {
              break;
            }
            int slash = path.indexOf('/', below.length());
            String child = slash < 0 ? path : path.substring(0, slash);
            next = slash < 0 ? next + 1 : snapshot.ceiling(child + "0");
            if (child.length() > below.length() && (slash < 0 || snapshot.find(child) < 0)) {
              sink.next(new ListEntry.Prefix(StorePrefix.of(key(child.substring(1)) + "/")));
              return next;
            }
          }
          sink.complete();
          return next;
        });
  }

  /** The version, its snapshot, and the store of the repository. */
  @Override
  public String toString() {
    return "Icechunk["
        + origin.version()
        + ", snapshot "
        + snapshot.entry().id()
        + " in "
        + files.store()
        + "]";
  }
}
