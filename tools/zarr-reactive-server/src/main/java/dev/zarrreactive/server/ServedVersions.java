package dev.zarrreactive.server;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.internal.sharing.Newest;
import dev.zarrreactive.internal.sharing.SharedRequest;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.store.Store;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The resources of each version of a store: of the one that is served at the root, and of all below
 * {@code __versions/}. The prefix is one that Zarr v3 keeps from nodes.
 */
final class ServedVersions implements ServedResources {
  /** The stores that are open at a time. */
  static final int OPENED = 4;

  private static final String ROOT = "__versions/";
  private static final String DOCUMENT = "api/versions.json";
  private static final Duration AGE = Duration.ofSeconds(1);
  private static final int DEFAULT_HISTORY = 50;
  private static final int MOST_FOUND = 1_000;
  private static final String FOREVER = "private, max-age=31536000, immutable";
  private static final Pattern NODES = Pattern.compile("api/(.+/)?(slice|chunks|metadata|tree)");
  private static final Set<Integer> VALUES = Set.of(200, 206, 304);

  /** The documents that the server may have made itself. */
  private static final Set<String> MADE = Set.of("zarr.json", ".zmetadata");

  private final Function<Store, ServedStore> resources;
  private final Scheduler setup;
  private final boolean servesApi;
  private final int mostHistory;
  private volatile StoreVersions latest;
  private final Newest<State> current = new Newest<>(refreshed());

  /** By the ids of their snapshots, the one that was used last at the end. */
  private final Map<String, SharedRequest<ServedStore>> opened =
      new LinkedHashMap<>(2 * OPENED, 0.75f, true);

  /**
   * Creates the resources.
   *
   * @param resources makes those of one store; may block
   * @param setup where it may
   */
  ServedVersions(
      StoreVersions versions,
      Function<Store, ServedStore> resources,
      Scheduler setup,
      boolean servesApi,
      ServerLimits limits) {
    this.latest = versions;
    this.resources = resources;
    this.setup = setup;
    this.servesApi = servesApi;
    this.mostHistory = limits.nodes();
  }

  /** The versions of one second, and those of them that were asked for. */
  private record State(StoreVersions versions, Map<String, StoreVersions.Snapshot> found) {
    Mono<StoreVersions.Snapshot> find(String version) {
      StoreVersions.Snapshot known = found.get(version);
      return known != null
          ? Mono.just(known)
          : versions
              .find(version)
              .doOnNext(
                  snapshot -> {
                    if (found.size() < MOST_FOUND) {
                      found.put(version, snapshot);
                    }
                  })
              .switchIfEmpty(Mono.error(Problem.MissingException::new));
    }
  }

  @Override
  public Mono<Reply> get(
      RequestPath path, HttpMethod method, HttpHeaders headers, ResponseMemory memory) {
    String text = path.path();
    if (text.equals(ROOT)) {
      return document(null, path, "");
    }
    if (!text.startsWith(ROOT)) {
      return servesApi && text.equals(DOCUMENT)
          ? document(null, path, "../" + ROOT)
          : current(path)
              .flatMap(state -> state.find(state.versions.served()))
              .flatMap(snapshot -> get(snapshot.id(), path, method, headers, memory));
    }
    int end = text.indexOf('/', ROOT.length());
    if (end < 0) {
      return Mono.error(Problem.MissingException::new);
    }
    String version = text.substring(ROOT.length(), end);
    RequestPath rest = path.below(text.substring(0, end + 1));
    if (servesApi && rest.path().equals(DOCUMENT)) {
      return document(version, path, "../../");
    }
    return version(version, rest)
        .flatMap(id -> get(id, rest, method, headers, memory))
        .map(reply -> isOfSnapshot(version) ? kept(reply, rest) : reply);
  }

  /** Returns true for slices and documents of nodes. */
  private boolean isOfNode(RequestPath path) {
    return servesApi && NODES.matcher(path.path()).matches();
  }

  /** Emits the versions: those of now for what reads many values, or a second old for a value. */
  private Mono<State> current(RequestPath path) {
    return isOfNode(path) ? current.now() : current.now(AGE);
  }

  /** Emits the response in a snapshot. Slices and documents of nodes have its id as their ETag. */
  private Mono<Reply> get(
      String id, RequestPath path, HttpMethod method, HttpHeaders headers, ResponseMemory memory) {
    String tag = isOfNode(path) ? "\"" + id + "\"" : null;
    if (tag != null && EntityTag.check(headers, tag) == EntityTag.Outcome.NOT_MODIFIED) {
      return Mono.just(Reply.of(304).with(HttpHeaderNames.ETAG, tag));
    }
    return opened(id)
        .flatMap(store -> store.get(path, method, headers, memory))
        .map(
            reply ->
                tag != null && reply.status() == 200
                    ? reply.with(HttpHeaderNames.ETAG, tag)
                    : reply);
  }

  private static boolean isOfSnapshot(String version) {
    return version.indexOf('.') < 0;
  }

  /** Lets clients keep what a snapshot has: a value that never changes. */
  private static Reply kept(Reply reply, RequestPath path) {
    boolean isValue =
        VALUES.contains(reply.status())
            && !path.isDirectory()
            && !path.path().startsWith("api/")
            && !MADE.contains(path.path());
    return isValue ? reply.with(HttpHeaderNames.CACHE_CONTROL, FOREVER) : reply;
  }

  /** Emits the id of the snapshot of a version. */
  private Mono<String> version(String version, RequestPath path) {
    return isOfSnapshot(version) && isOpen(version)
        ? Mono.just(version)
        : current(path).flatMap(state -> state.find(version)).map(StoreVersions.Snapshot::id);
  }

  private Mono<State> refreshed() {
    return Mono.defer(() -> latest.refresh())
        .map(
            versions -> {
              latest = versions;
              return new State(versions, new ConcurrentHashMap<>());
            });
  }

  private boolean isOpen(String id) {
    synchronized (opened) {
      return opened.containsKey(id);
    }
  }

  /** Emits the resources of a snapshot, which are made once while they are remembered. */
  private Mono<ServedStore> opened(String id) {
    return Mono.defer(
        () -> {
          SharedRequest<ServedStore> made =
              new SharedRequest<>(
                  Mono.defer(() -> latest.open(id)).publishOn(setup).map(resources));
          SharedRequest<ServedStore> request;
          synchronized (opened) {
            SharedRequest<ServedStore> known = opened.get(id);
            request = known == null ? made : known;
            if (known == null) {
              opened.put(id, made);
            }
            if (opened.size() > OPENED) {
              opened.remove(opened.keySet().iterator().next());
            }
          }
          Mono<ServedStore> joined = request.tryJoin();
          if (joined != null) {
            return joined;
          }
          synchronized (opened) {
            opened.remove(id, request);
          }
          return opened(id);
        });
  }

  /**
   * Emits the document of the versions.
   *
   * @param version that it is asked for; null for the one at the root
   * @param links the way from the document to the versions
   */
  private Mono<Reply> document(@Nullable String version, RequestPath path, String links) {
    Map<String, List<String>> parameters = ArrayApi.parameters(path);
    ArrayApi.allow(parameters, Set.of("history"));
    int most = history(parameters.get("history"));
    return current
        .now(AGE)
        .flatMap(
            state -> {
              String served = version == null ? state.versions.served() : version;
              return state
                  .find(served)
                  .flatMap(
                      snapshot ->
                          Mono.zip(
                              named(state.versions.branches(), "branch.", links),
                              named(state.versions.tags(), "tag.", links),
                              state
                                  .versions
                                  .history(snapshot.id())
                                  .take(most + 1L)
                                  .map(each -> told(each, links))
                                  .collectList()))
                  .map(
                      all -> {
                        List<JsonObject> history = all.getT3();
                        boolean isComplete = history.size() <= most;
                        return JsonObject.EMPTY
                            .with("version", served)
                            .with("branches", all.getT1())
                            .with("tags", all.getT2())
                            .with("history", array(isComplete ? history : history.subList(0, most)))
                            .with("is_complete", isComplete);
                      });
            })
        .map(ArrayApi::document);
  }

  private int history(@Nullable List<String> values) {
    String text = values == null ? Integer.toString(DEFAULT_HISTORY) : values.get(0);
    if (!text.matches("[1-9]\\d{0,8}") || Integer.parseInt(text) > mostHistory) {
      throw new BadRequestException(
          "history is the number of snapshots that are told, from 1 to " + mostHistory);
    }
    return Integer.parseInt(text);
  }

  private static Mono<JsonArray> named(Flux<StoreVersions.Named> all, String kind, String links) {
    return all.map(
            each ->
                JsonObject.EMPTY
                    .with("name", each.name())
                    .with("snapshot", each.snapshot())
                    .with("href", links + segment(kind + each.name(), each.snapshot()) + "/"))
        .collectList()
        .map(ServedVersions::array)
        .onErrorResume(StoreCapabilityException.class, unlisted -> Mono.just(array(List.of())));
  }

  /** Returns the segment of a URL; that of the snapshot for a name that cannot be one. */
  private static String segment(String version, String id) {
    try {
      return version.indexOf('/') < 0 && version.chars().noneMatch(Character::isISOControl)
          ? DirectoryListing.encoded(StoreKey.of(version).value())
          : id;
    } catch (IllegalArgumentException e) {
      return id;
    }
  }

  private static JsonObject told(StoreVersions.Snapshot snapshot, String links) {
    JsonObject told = JsonObject.EMPTY.with("id", snapshot.id());
    String parent = snapshot.parent();
    return (parent == null ? told : told.with("parent", parent))
        .with("time", snapshot.time().toString())
        .with("message", snapshot.message())
        .with("metadata", snapshot.metadata())
        .with("href", links + snapshot.id() + "/");
  }

  private static JsonArray array(List<JsonObject> objects) {
    return new JsonArray(List.<JsonValue>copyOf(objects));
  }
}
