package dev.zarrreactive.gcs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.ValuePart;
import dev.zarrreactive.internal.service.ServiceRefusal;
import dev.zarrreactive.internal.service.ServiceRequest;
import dev.zarrreactive.internal.service.ServiceRequests;
import dev.zarrreactive.internal.service.ServiceSettings;
import dev.zarrreactive.internal.sharing.UploadRetries;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClientResponse;

/**
 * Uploads a value in parts, one after the other, in a session of the server. The last part makes
 * them the value, if the condition of the session holds then. After a failed part the server tells
 * how many bytes it has, so that a repeated one begins there; an upload whose last answer was lost
 * is found to be complete.
 *
 * <pre>
 *   POST (start, condition) ──▶ session
 *   PUT  bytes 0-a/*        ──▶ 308, has 0-a
 *   PUT  bytes b-c/total    ──▶ 200
 * </pre>
 */
final class ResumableUpload {
  private static final Pattern STORED = Pattern.compile("bytes=0-(\\d{1,18})");
  private static final int RESUME_INCOMPLETE = 308;

  private final ServiceRequests requests;
  private final ServiceSettings settings;
  private final StoreKey key;

  ResumableUpload(ServiceRequests requests, ServiceSettings settings, StoreKey key) {
    this.requests = requests;
    this.settings = settings;
    this.key = key;
  }

  /**
   * Uploads parts as they come. Errors are of requests, or of {@code parts}. An error or a cancel
   * discards the session.
   *
   * @param headers the condition of the value
   */
  Mono<Void> upload(Publisher<ValuePart> parts, Map<String, String> headers) {
    return Mono.usingWhen(
        begin(headers),
        session -> Flux.from(parts).concatMap(session::send, 1).then(),
        session -> Mono.empty(),
        (session, error) -> session.discard(),
        Session::discard);
  }

  private Mono<Session> begin(Map<String, String> headers) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put("x-goog-resumable", "start");
    Url url = settings.url(key);
    return UploadRetries.of(
        requests
            .ask(
                change(HttpMethod.POST, url, all, List.of()),
                (response, body) ->
                    SentRequest.drain(body).then(Mono.fromSupplier(() -> session(response, url))))
            .onErrorMap(this::located));
  }

  private Session session(HttpClientResponse response, Url url) {
    String location = response.responseHeaders().get(HttpHeaderNames.LOCATION);
    if (location == null) {
      throw violation("began an upload without the URL of its session");
    }
    try {
      return new Session(url.resolve(location));
    } catch (IllegalArgumentException e) {
      throw violation("began an upload whose session has no URL");
    }
  }

  private ServiceRequest change(
      HttpMethod method, Url url, Map<String, String> headers, List<Bytes> content) {
    return new ServiceRequest(
        method, url, ObjectNames.at(key), settings.names().url(key), headers, content);
  }

  private StoreException violation(String statement) {
    return requests.violation(key, statement);
  }

  /** Leaves a refused condition to the writer, which knows what it wanted. */
  private Throwable located(Throwable error) {
    return error instanceof ServiceRefusal answer && GcsWrites.isOfCondition(answer)
        ? error
        : requests.error(error, ObjectNames.at(key), settings.names().url(key));
  }

  /** What the server has: a number of bytes, or all of the value. */
  private record Progress(long stored, boolean isComplete) {}

  /** The session of one upload, with one request at a time. */
  private final class Session {
    private final Url url;

    /** The bytes that the server has, of all parts so far. */
    private long stored;

    /** The bytes of the parts that are complete. */
    private long before;

    Session(Url url) {
      this.url = url;
    }

    /** Sends a part, and repeats what the server lacks of it where a decorator has asked for it. */
    Mono<Void> send(ValuePart part) {
      return Mono.defer(
          () -> {
            Attempt attempt = new Attempt(part, before);
            return UploadRetries.of(
                    Mono.defer(attempt::next).onErrorMap(ResumableUpload.this::located))
                .doOnSuccess(done -> before += part.size());
          });
    }

    /** The attempts to send one part. */
    private final class Attempt {
      private final ValuePart part;
      private final long from;
      private final long end;
      private boolean isRepeated;

      Attempt(ValuePart part, long from) {
        this.part = part;
        this.from = from;
        this.end = from + part.size();
      }

      Mono<Void> next() {
        if (!isRepeated) {
          isRepeated = true;
          return rest();
        }
        return put("bytes */" + total(), List.of())
            .flatMap(
                found ->
                    found.isComplete()
                        ? complete()
                        : went(found.stored()).then(Mono.defer(this::rest)));
      }

      /** Sends what the server lacks of the part, again and again while it takes some of it. */
      private Mono<Void> rest() {
        if (stored == end && !part.isLast()) {
          return Mono.empty();
        }
        long asked = stored;
        String range = "bytes " + asked + "-" + (end - 1) + "/" + total();
        return put(range, from(part.pieces(), asked - from))
            .flatMap(
                found -> {
                  if (found.isComplete()) {
                    return complete();
                  }
                  boolean isTaken =
                      found.stored() > asked && (found.stored() < end || !part.isLast());
                  return isTaken
                      ? went(found.stored()).then(Mono.defer(this::rest))
                      : Mono.error(
                          violation(
                              "has "
                                  + found.stored()
                                  + " bytes of an upload after it was sent "
                                  + end));
                });
      }

      /** Returns the bytes from an offset on. */
      private static List<Bytes> from(List<Bytes> pieces, long offset) {
        List<Bytes> rest = new ArrayList<>();
        long skipped = offset;
        for (Bytes piece : pieces) {
          if (skipped < piece.size()) {
            rest.add(piece.slice((int) skipped, piece.size() - (int) skipped));
          }
          skipped = Math.max(0, skipped - piece.size());
        }
        return rest;
      }

      private String total() {
        return part.isLast() ? Long.toString(end) : "*";
      }

      private Mono<Void> complete() {
        return part.isLast()
            ? Mono.empty()
            : Mono.error(violation("ended an upload before its last part"));
      }

      private Mono<Void> went(long to) {
        if (to < from || to > end) {
          return Mono.error(
              violation("has " + to + " bytes of an upload, after it had " + from + " of them"));
        }
        stored = to;
        return Mono.empty();
      }
    }

    private Mono<Progress> put(String range, List<Bytes> content) {
      return requests
          .ask(
              change(HttpMethod.PUT, url, Map.of("content-range", range), content),
              (response, body) ->
                  SentRequest.drain(body).then(Mono.fromSupplier(() -> progress(response))))
          .onErrorMap(
              e -> e instanceof ServiceRefusal answer && isGone(answer),
              e ->
                  new TransientStoreException(
                      settings.names().url(key)
                          + ": the server has lost the session of the upload ("
                          + ((ServiceRefusal) e).shown()
                          + ")",
                      ObjectNames.at(key)));
    }

    private boolean isGone(ServiceRefusal answer) {
      return answer.status() == 404 || answer.status() == 410;
    }

    private Progress progress(HttpClientResponse response) {
      if (response.status().code() != RESUME_INCOMPLETE) {
        return new Progress(0, true);
      }
      return new Progress(stored(response.responseHeaders()), false);
    }

    private long stored(HttpHeaders headers) {
      String range = headers.get(HttpHeaderNames.RANGE);
      if (range == null) {
        return 0;
      }
      Matcher matcher = STORED.matcher(range.strip());
      if (!matcher.matches()) {
        throw violation("tells what it has of an upload as " + range);
      }
      return Long.parseLong(matcher.group(1)) + 1;
    }

    /** Discards the bytes; the server does that itself after a week. */
    Mono<Void> discard() {
      return requests
          .ask(
              change(HttpMethod.DELETE, url, Map.of(), List.of()),
              (response, body) -> SentRequest.drain(body).thenReturn(true))
          .then()
          .onErrorComplete();
    }
  }
}
