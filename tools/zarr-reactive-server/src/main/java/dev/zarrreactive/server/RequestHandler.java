package dev.zarrreactive.server;

import dev.zarrreactive.credentials.LinkKeySource;
import dev.zarrreactive.credentials.LinkKeys;
import dev.zarrreactive.internal.flow.ByteBudget;
import dev.zarrreactive.observation.StoreObserver;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Answers requests: admits them, finds their resource, and words their errors. A status of 404
 * means that the store has said so; every other failure is 5xx.
 */
final class RequestHandler
    implements BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> {
  private static final int UNAVAILABLE = 503;

  private final String prefix;
  private final ServerLimits limits;
  private final CrossOrigin origins;
  private final AccessCheck access;
  private final @Nullable LinkKeySource links;
  private final BiConsumer<String, Throwable> failures;
  private final ServedResources resources;
  private final ByteBudget budget;
  private final ServerActivity activity;
  private final Sinks.Empty<Void> idle = Sinks.empty();
  private volatile boolean closing;

  /**
   * Creates a handler.
   *
   * @param resources that it answers with
   * @param budget of the values that responses hold
   * @param prefix of the paths that it answers, without a slash at its end
   * @param links the keys of links; null where none opens anything
   */
  RequestHandler(
      ServedResources resources,
      ServerActivity activity,
      ByteBudget budget,
      String prefix,
      ServerLimits limits,
      CrossOrigin origins,
      AccessCheck access,
      @Nullable LinkKeySource links,
      BiConsumer<String, Throwable> failures) {
    this.activity = activity;
    this.prefix = prefix;
    this.limits = limits;
    this.origins = origins;
    this.access = access;
    this.links = links;
    this.failures = failures;
    this.resources = resources;
    this.budget = budget;
  }

  @Override
  public Publisher<Void> apply(HttpServerRequest request, HttpServerResponse response) {
    return Mono.defer(
        () -> {
          ServerActivity.Request begun = activity.begun();
          Channel channel = channel(request);
          ClientConnection.begin(channel);
          ResponseMemory memory = new ResponseMemory(budget, activity);
          return answer(request, response, memory, begun.before())
              .doFinally(
                  end -> {
                    memory.close();
                    ended(begun);
                    readOn(channel);
                  })
              .contextWrite(context -> context.put(StoreObserver.KEY, activity.slices()));
        });
  }

  private void ended(ServerActivity.Request begun) {
    if (activity.ended(begun) == 0 && closing) {
      idle.tryEmitEmpty();
    }
  }

  /** Returns the requests that are not answered to their end. */
  int underWay() {
    return activity.underWay();
  }

  /** Returns the bytes of values that responses hold. */
  long heldBytes() {
    return budget.held();
  }

  /** Refuses new requests, and completes when those that are under way are answered. */
  Mono<Void> drained() {
    return Mono.defer(
        () -> {
          closing = true;
          return activity.underWay() == 0 ? Mono.empty() : idle.asMono();
        });
  }

  private Mono<Void> answer(
      HttpServerRequest request, HttpServerResponse response, ResponseMemory memory, int before) {
    try {
      MessageRules.check(request);
      String target = below(request.uri());
      LinkKeySource keys = LinkKeys.isLink(target) ? links : null;
      return keys == null
          ? answer(RequestPath.of(target), false, request, response, memory, before)
          : keys.keys()
              .map(now -> answer(opened(now, target), true, request, response, memory, before))
              .onErrorResume(e -> Mono.just(sent(Mono.error(e), "", request, response)))
              .defaultIfEmpty(answer(null, true, request, response, memory, before))
              .flatMap(Function.identity());
    } catch (BadRequestException e) {
      if (e instanceof MessageRules.BrokenMessageException) {
        response.keepAlive(false);
      }
      return sent(Mono.error(e), "", request, response);
    }
  }

  /**
   * Answers a request.
   *
   * @param path null for a link that opens nothing
   */
  private Mono<Void> answer(
      @Nullable RequestPath path,
      boolean isLink,
      HttpServerRequest request,
      HttpServerResponse response,
      ResponseMemory memory,
      int before) {
    String place = path == null ? "" : path.path();
    Mono<Reply> reply =
        closing || before >= limits.requests()
            ? Mono.just(Problem.unavailable(place, refusal(), limits.retryAfter()))
            : path == null
                ? Mono.just(Problem.denied(null))
                : admitted(path, isLink, request.method(), request.requestHeaders(), memory);
    return sent(reply, place, request, response);
  }

  /**
   * Sends a reply, or the problem in its place.
   *
   * @param place the path for people
   */
  private Mono<Void> sent(
      Mono<Reply> reply, String place, HttpServerRequest request, HttpServerResponse response) {
    return reply
        .flatMap(ready -> send(ready, request, response))
        .onErrorResume(
            error -> !response.hasSentHeaders() && !(error instanceof AbortedException),
            error -> send(problem(error, place), request, response))
        .onErrorResume(AbortedException.class, gone -> Mono.empty())
        .doOnError(error -> failures.accept(place, error));
  }

  private Mono<Void> send(Reply reply, HttpServerRequest request, HttpServerResponse response) {
    if (closing) {
      response.keepAlive(false);
    }
    if (reply.status() == UNAVAILABLE) {
      activity.refused();
    }
    return origins.addTo(reply, request.requestHeaders()).send(request.method(), response);
  }

  private String refusal() {
    return closing
        ? "the server is being closed"
        : "the server answers " + limits.requests() + " requests, its limit";
  }

  private Reply problem(Throwable error, String path) {
    Reply problem = Problem.of(error, path, limits.retryAfter());
    if (problem.status() >= 500) {
      failures.accept(path, error);
    }
    return problem;
  }

  /** Returns the path that a link opens; null where it opens nothing. Its token is in no log. */
  private static @Nullable RequestPath opened(LinkKeys keys, String target) {
    return keys.open(target, LinkKeys.Access.READ, Instant.now())
        .map(link -> RequestPath.of(link.target()).openedBy(link.prefix()))
        .orElse(null);
  }

  private String below(String target) {
    if (!target.startsWith(prefix)) {
      throw new BadRequestException("the path is outside of " + prefix + "/");
    }
    String rest = target.substring(prefix.length());
    return rest.isEmpty() || rest.startsWith("?") ? "/" + rest : rest;
  }

  private Mono<Reply> admitted(
      RequestPath path,
      boolean isOpened,
      HttpMethod method,
      HttpHeaders headers,
      ResponseMemory memory) {
    if (method.equals(HttpMethod.OPTIONS)) {
      return Mono.just(origins.options(headers));
    }
    if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
      return Mono.just(
          Problem.of(405, path.path(), "this server can only be read from")
              .with(HttpHeaderNames.ALLOW, CrossOrigin.METHODS));
    }
    Mono<AccessCheck.Decision> decided =
        isOpened
            ? Mono.just(AccessCheck.Decision.ALLOWED)
            : access.decide(method.name(), "/" + path.path(), headers);
    return decided
        .defaultIfEmpty(AccessCheck.Decision.FORBIDDEN)
        .flatMap(
            decision ->
                decision.status() == 0
                    ? resources.get(path, method, headers, memory)
                    : Mono.just(refused(decision, path)));
  }

  private static Reply refused(AccessCheck.Decision decision, RequestPath path) {
    String challenge = decision.challenge();
    return challenge == null
        ? Problem.denied(path.path())
        : Problem.of(401, path.path(), "this needs credentials")
            .with(HttpHeaderNames.WWW_AUTHENTICATE, challenge);
  }

  /** Returns the channel of a request, which reactor-netty no longer tells behind its end. */
  private static Channel channel(HttpServerRequest request) {
    AtomicReference<Channel> channel = new AtomicReference<>();
    request.withConnection(connection -> channel.set(connection.channel()));
    return Objects.requireNonNull(channel.get());
  }

  /**
   * Lets a connection await and read its next request. Reactor-netty forgets the read where it had
   * queued the request before (its issue 4361), and then the next request waits without end.
   */
  private static void readOn(Channel channel) {
    channel
        .eventLoop()
        .execute(
            () -> {
              ClientConnection.end(channel);
              channel.read();
            });
  }
}
