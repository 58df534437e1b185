package dev.zarrreactive.icechunk;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.icechunk.ChunkReference;
import dev.zarrreactive.internal.icechunk.ManifestFile;
import dev.zarrreactive.internal.icechunk.SnapshotEntry;
import dev.zarrreactive.internal.icechunk.SnapshotFile;
import dev.zarrreactive.internal.icechunk.TransactionFile;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.virtual.VirtualContainers;
import dev.zarrreactive.virtual.VirtualLocation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One check of the files of a repository. Its parts run one after the other, only manifests are
 * read ahead; so its state is seen by one thread at a time.
 */
final class RepositoryCheck {
  private static final String CHUNKS = "chunks/";

  /** The id of the snapshot that every new repository of version 2 begins with. */
  private static final String FIRST_SNAPSHOT = "1CECHNKREP0F1RSTCMT0";

  /** How many manifests are read ahead. */
  private static final int AHEAD = 4;

  /** The part of the heap that the table of objects takes at most. */
  private static final int PART_OF_HEAP = 8;

  private final RepositoryFiles files;
  private final Refs refs;
  private final VirtualContainers containers;
  private final boolean canList;
  private final ChunkObjects objects;

  /** Where the references in the table stand. */
  private final List<Source> sources = new ArrayList<>();

  private final Set<String> snapshots = new HashSet<>();
  private final Set<UseKey> uses = new HashSet<>();
  private final Set<String> unreadable = new HashSet<>();
  private boolean hasToldOfListing;

  RepositoryCheck(RepositoryFiles files, Refs refs) {
    this(files, refs, Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  /**
   * Creates a check, to be used once.
   *
   * @param maxBytes of the table of objects
   */
  RepositoryCheck(RepositoryFiles files, Refs refs, long maxBytes) {
    this.files = files;
    this.refs = refs;
    this.containers = files.options().containers().named(refs.containerNames());
    this.canList = files.store().capabilities().contains(StoreCapability.LIST);
    this.objects = new ChunkObjects(maxBytes);
  }

  /** The use of a manifest by an array of a snapshot. */
  private record Use(SnapshotFile snapshot, int node, int number) {
    SnapshotFile.ArrayNode array() {
      return snapshot.array(node);
    }

    String manifest() {
      return array().manifest(number);
    }

    /** What the check of the references depends on. */
    UseKey key() {
      SnapshotFile.ArrayNode array = array();
      return new UseKey(manifest(), array.id(), array.grid(), array.extentsOf(number));
    }
  }

  private record UseKey(String manifest, long node, List<Long> grid, List<Long> extents) {}

  /** Where references stand, without the snapshot that names the manifest. */
  private record Source(String manifest, long node, String path) {}

  /** A manifest, or why it cannot be read. */
  private record Read(Use use, @Nullable ManifestFile manifest, @Nullable ZarrException error) {}

  /** Emits the findings of one version. */
  Flux<IcechunkFinding> of(IcechunkVersion version) {
    return Flux.concat(
        List.of(
            disorders(),
            refs.snapshotOf(version).flatMapMany(this::snapshot),
            Flux.defer(this::missingObjects)));
  }

  /** Emits the findings of every snapshot that a branch or a tag leads to. */
  Flux<IcechunkFinding> ofHistory() {
    Flux<IcechunkFinding> histories =
        Flux.concat(List.of(refs.branches(), refs.tags()))
            .concatMap(
                ref ->
                    refs.history(ref.snapshot())
                        .map(SnapshotEntry::id)
                        .takeWhile(id -> !snapshots.contains(id))
                        .concatMap(this::snapshot, 1)
                        .onErrorResume(
                            ZarrException.class,
                            error -> onceUnreadable("snapshots/" + ref.snapshot(), error)),
                1);
    return Flux.concat(List.of(disorders(), histories, Flux.defer(this::missingObjects)));
  }

  private Flux<IcechunkFinding> disorders() {
    return Flux.defer(() -> Flux.fromIterable(refs.disorders()))
        .map(each -> IcechunkFinding.warning(RefsInRepo.KEY.value(), each));
  }

  /** Emits the finding of a file that cannot be read, unless it was emitted before. */
  private Flux<IcechunkFinding> onceUnreadable(String key, ZarrException error) {
    IcechunkFinding finding = IcechunkFinding.of(key, error);
    return unreadable.add(finding.key()) ? Flux.just(finding) : Flux.empty();
  }

  private Flux<IcechunkFinding> snapshot(String id) {
    snapshots.add(id);
    String key = "snapshots/" + id;
    return files
        .snapshot(id)
        .publishOn(IcechunkThreads.decoding())
        .flatMapMany(
            snapshot ->
                Flux.concat(
                    List.of(
                        log(snapshot),
                        Flux.defer(() -> Flux.fromIterable(lists(key, snapshot))),
                        documents(key, snapshot),
                        manifests(snapshot))))
        .onErrorResume(ZarrException.class, error -> onceUnreadable(key, error));
  }

  /** Only a snapshot without one before it may lack the log of its commit. */
  private Flux<IcechunkFinding> log(SnapshotFile snapshot) {
    String id = snapshot.entry().id();
    String key = "transactions/" + id;
    return files
        .transaction(id)
        .map(log -> lists(key, log, id))
        .switchIfEmpty(
            refs.entry(id)
                .defaultIfEmpty(snapshot.entry())
                .map(
                    entry ->
                        entry.parent() == null
                            ? List.of()
                            : List.of(
                                IcechunkFinding.fault(
                                    key, "the log of what the commit has changed is missing"))))
        .flatMapIterable(findings -> findings)
        .onErrorResume(ZarrException.class, error -> onceUnreadable(key, error));
  }

  /** Looks at the orders of a log, which nobody needs to read it. */
  private static List<IcechunkFinding> lists(String key, TransactionFile log, String id) {
    List<IcechunkFinding> findings = new ArrayList<>();
    log.disorders().forEach(each -> findings.add(IcechunkFinding.warning(key, each)));
    if (id.equals(FIRST_SNAPSHOT) && !log.isEmpty()) {
      findings.add(
          IcechunkFinding.warning(
              key, "it tells of changes, and the first snapshot of a repository has none"));
    }
    return findings;
  }

  /** Compares the list of manifests with those that nodes name, and looks at the orders. */
  private static List<IcechunkFinding> lists(String key, SnapshotFile snapshot) {
    List<IcechunkFinding> findings = new ArrayList<>();
    snapshot.disorders().forEach(each -> findings.add(IcechunkFinding.warning(key, each)));
    Set<String> named = new LinkedHashSet<>();
    for (int node = 0; node < snapshot.size(); node++) {
      if (snapshot.isArray(node)) {
        SnapshotFile.ArrayNode array = snapshot.array(node);
        for (int number = 0; number < array.manifests(); number++) {
          named.add(array.manifest(number));
        }
      }
    }
    Set<String> unnamed = new LinkedHashSet<>(snapshot.manifestFiles().keySet());
    unnamed.removeAll(named);
    named.removeAll(snapshot.manifestFiles().keySet());
    if (!named.isEmpty()) {
      findings.add(
          IcechunkFinding.fault(
              key,
              "its list of manifests lacks "
                  + number(named.size(), "manifest")
                  + " that its arrays name, such as "
                  + named.iterator().next()
                  + ": garbage collection will remove what is in no list"));
    }
    if (!unnamed.isEmpty()) {
      findings.add(
          IcechunkFinding.warning(
              key,
              "its list of manifests has "
                  + number(unnamed.size(), "manifest")
                  + " that no array names, such as "
                  + unnamed.iterator().next()));
    }
    return findings;
  }

  private static Flux<IcechunkFinding> documents(String key, SnapshotFile snapshot) {
    return Flux.range(0, snapshot.size()).mapNotNull(node -> document(key, snapshot, node));
  }

  /** Looks whether a document says what the snapshot says of its node. */
  private static @Nullable IcechunkFinding document(String key, SnapshotFile snapshot, int node) {
    String path = snapshot.pathOf(node);
    try {
      LocatedJson document =
          JsonDocument.parse(snapshot.document(node).asByteBuffer(), Location.UNKNOWN);
      document.member("zarr_format").integer(3, 3);
      document.member("node_type").oneOf(snapshot.isArray(node) ? "array" : "group");
      if (snapshot.isArray(node)) {
        int rank = document.member("shape").elements().size();
        if (rank != snapshot.array(node).rank()) {
          return IcechunkFinding.fault(
              key,
              "the document of "
                  + path
                  + " has a shape of "
                  + number(rank, "dimension")
                  + ", and the snapshot says "
                  + snapshot.array(node).rank());
        }
      }
      return null;
    } catch (MetadataException e) {
      return IcechunkFinding.fault(key, "the document of " + path + ": " + e.getMessage());
    }
  }

  private Flux<IcechunkFinding> manifests(SnapshotFile snapshot) {
    Map<String, SnapshotFile.ManifestInfo> listed = snapshot.manifestFiles();
    Set<String> counted = new HashSet<>();
    Flux<Use> fresh =
        Flux.range(0, snapshot.size())
            .filter(snapshot::isArray)
            .concatMap(
                node ->
                    Flux.range(0, snapshot.array(node).manifests())
                        .map(number -> new Use(snapshot, node, number)))
            .filter(use -> uses.add(use.key()));
    return Concurrently.mapInOrder(fresh, AHEAD, this::read)
        .publishOn(IcechunkThreads.decoding(), 1)
        .concatMap(
            read -> {
              String key = "manifests/" + read.use().manifest();
              ManifestFile manifest = read.manifest();
              if (manifest == null) {
                ZarrException error = read.error();
                return error == null ? Flux.empty() : onceUnreadable(key, error);
              }
              SnapshotFile.ManifestInfo info = listed.get(read.use().manifest());
              List<IcechunkFinding> ofInfo =
                  info != null && counted.add(read.use().manifest())
                      ? compare(key, manifest, info, snapshot)
                      : List.of();
              return Flux.concat(
                  List.of(Flux.fromIterable(ofInfo), references(read.use(), manifest)));
            },
            1);
  }

  /**
   * Compares a manifest with what the list of a snapshot says of it. icechunk asks for as many
   * bytes as the list says, so it fails where these are fewer.
   */
  private static List<IcechunkFinding> compare(
      String key, ManifestFile manifest, SnapshotFile.ManifestInfo info, SnapshotFile snapshot) {
    String said = ", and the list of snapshot " + snapshot.entry().id() + " says ";
    List<IcechunkFinding> findings = new ArrayList<>();
    if (info.references() != manifest.size()) {
      findings.add(
          IcechunkFinding.warning(
              key, "it has " + number(manifest.size(), "reference") + said + info.references()));
    }
    if (info.bytes() != manifest.storedBytes()) {
      boolean isShort = Long.compareUnsigned(info.bytes(), manifest.storedBytes()) < 0;
      findings.add(
          new IcechunkFinding(
              key,
              isShort,
              "it is stored in "
                  + number(manifest.storedBytes(), "byte")
                  + said
                  + Long.toUnsignedString(info.bytes())
                  + (isShort ? ": icechunk reads no more of it, and fails" : "")));
    }
    return findings;
  }

  private Mono<Read> read(Use use) {
    return files
        .manifest(use.manifest())
        .map(manifest -> new Read(use, manifest, null))
        .onErrorResume(ZarrException.class, error -> Mono.just(new Read(use, null, error)));
  }

  private Flux<IcechunkFinding> references(Use use, ManifestFile manifest) {
    ManifestFile.References references = manifest.of(use.array().id());
    String path = use.snapshot().pathOf(use.node());
    String key = "manifests/" + use.manifest();
    if (references == null) {
      return Flux.just(
          IcechunkFinding.warning(key, "it has no chunk of " + path + ", which names it"));
    }
    Tally tally = new Tally(key, path);
    Source source = new Source(use.manifest(), use.array().id(), path);
    return Flux.concat(
        List.of(
            Flux.range(0, references.size())
                .concatMap(at -> reference(use, references, at, source, tally), 1),
            Flux.defer(() -> Flux.fromIterable(tally.findings()))));
  }

  /** Checks one reference; emits only what a full table has found. */
  private Flux<IcechunkFinding> reference(
      Use use, ManifestFile.References references, int at, Source source, Tally tally) {
    int[] index = references.indexAt(at);
    ChunkReference found;
    try {
      SnapshotFile.ArrayNode array = use.array();
      if (index.length != array.rank()) {
        tally.fault("an index of another number of dimensions than the array", index);
      } else if (!array.mayHave(use.number(), index)) {
        tally.fault(
            "an index outside of the extents in the snapshot, where no reader finds it", index);
      } else if (!array.has(index)) {
        tally.warning("an index outside of the grid: the array was made smaller", index);
      }
      if (references.kinds(at) > 1) {
        tally.fault("more than one place of its bytes", index);
      }
      found = references.reference(at);
    } catch (ZarrException e) {
      tally.fault("a fault: " + e.statement(), index);
      return Flux.empty();
    }
    if (found.length() <= 0) {
      tally.fault("no bytes", index);
    }
    if (found instanceof ChunkReference.Virtual virtual) {
      return virtual(virtual, index, tally);
    }
    if (found instanceof ChunkReference.Native own) {
      if (sources.isEmpty() || !sources.get(sources.size() - 1).equals(source)) {
        sources.add(source);
      }
      objects.add(own.chunk(), own.offset() + own.length(), sources.size() - 1, at);
      return objects.isFull() ? missingObjects() : Flux.empty();
    }
    return Flux.empty();
  }

  private Flux<IcechunkFinding> virtual(ChunkReference.Virtual virtual, int[] index, Tally tally) {
    return containers
        .resolve(VirtualLocation.of(virtual.location(), virtual.offset(), virtual.length()))
        .then(Mono.<IcechunkFinding>empty())
        .onErrorResume(
            ZarrException.class,
            error -> {
              if (error instanceof AccessDeniedException) {
                tally.warning(
                    "a location outside of every container that was allowed, and were not checked",
                    index);
              } else {
                tally.fault("a location that cannot be read: " + error.statement(), index);
              }
              return Mono.empty();
            })
        .flux();
  }

  /** Compares the objects that references lead to with a listing, and clears the table. */
  private Flux<IcechunkFinding> missingObjects() {
    if (objects.isEmpty()) {
      return Flux.empty();
    }
    if (!canList) {
      objects.clear();
      sources.clear();
      boolean isFirst = !hasToldOfListing;
      hasToldOfListing = true;
      return isFirst
          ? Flux.just(
              IcechunkFinding.warning(
                  CHUNKS,
                  "the store cannot list, so nobody has looked whether every chunk is there"))
          : Flux.empty();
    }
    Flux<IcechunkFinding> tooShort =
        files
            .store()
            .listValues(StorePrefix.of(CHUNKS))
            .publishOn(IcechunkThreads.decoding())
            .concatMap(this::listed, 1);
    Flux<IcechunkFinding> missing =
        Flux.defer(() -> Flux.range(0, objects.capacity()))
            .filter(objects::isMissing)
            .concatMap(slot -> finding(slot, "it is missing"), 1);
    Flux<IcechunkFinding> cleared =
        Flux.defer(
            () -> {
              objects.clear();
              sources.clear();
              return Flux.empty();
            });
    return Flux.concat(List.of(tooShort, missing, cleared));
  }

  private Mono<IcechunkFinding> listed(ListEntry.Key entry) {
    int slot = objects.see(entry.key().value().substring(CHUNKS.length()));
    return slot < 0 || !entry.isSizeKnown() || entry.size() >= objects.bytes(slot)
        ? Mono.empty()
        : finding(
            slot, "it has " + entry.size() + " bytes, and needs at least " + objects.bytes(slot));
  }

  /** The finding of an object, with a chunk that leads to it. */
  private Mono<IcechunkFinding> finding(int slot, String problem) {
    Source source = sources.get(objects.source(slot));
    int at = objects.place(slot);
    String key = CHUNKS + objects.id(slot);
    return files
        .manifest(source.manifest())
        .mapNotNull(manifest -> manifest.of(source.node()))
        .map(
            references ->
                IcechunkFinding.fault(
                    key,
                    problem
                        + ": chunk "
                        + Tally.text(references.indexAt(at))
                        + " of "
                        + source.path()
                        + " in manifest "
                        + source.manifest()));
  }

  private static String number(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }
}
