package dev.zarrreactive.internal.http;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.internal.sharing.ClosedConnection;
import dev.zarrreactive.internal.transfer.BodyDrain;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.AttributeKey;
import java.io.IOException;
import java.nio.channels.NotYetConnectedException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.Connection;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.http.client.PrematureCloseException;

/**
 * One request. A GET or a HEAD is sent again over another connection where its connection closes
 * before a response: as often as that connection had carried a request before, and once for other
 * connections. Each repeat takes an old connection out of the pool, so that they end. A request
 * that changes something is sent once. A cancel closes the connection, and after it has returned no
 * request is written.
 */
public final class SentRequest<T> {
  /** Marks a connection of HTTP/1.1 that has carried a request; a stream of HTTP/2 carries one. */
  private static final AttributeKey<Boolean> USED = AttributeKey.valueOf("zarr.used");

  private static final int PART = 64 << 10;

  private final HttpClient client;
  private final HttpMethod method;
  private final String uri;
  private final @Nullable List<Bytes> content;
  private final Reader<T> reader;
  private final Function<Throwable, Throwable> errors;

  /** The request went to a connection that an earlier one had used. */
  private volatile boolean reused;

  private volatile boolean responded;
  private volatile boolean cancelled;

  private SentRequest(
      HttpClient client,
      HttpMethod method,
      String uri,
      @Nullable List<Bytes> content,
      Reader<T> reader,
      Function<Throwable, Throwable> errors) {
    this.client = client;
    this.method = method;
    this.uri = uri;
    this.content = content;
    this.reader = reader;
    this.errors = errors;
  }

  /** Reads a response. */
  public interface Reader<T> {
    /** Reads the response; emits one value, or an error. */
    Publisher<T> read(HttpClientResponse response, ByteBufFlux body);
  }

  /**
   * Sends a GET or a HEAD for each subscriber, and reads its response.
   *
   * @param client with the headers of the request
   * @param errors maps an error of the client or the reader
   */
  public static <T> Mono<T> of(
      HttpClient client,
      HttpMethod method,
      String uri,
      Reader<T> reader,
      Function<Throwable, Throwable> errors) {
    return Mono.defer(
        () -> new SentRequest<>(client, method, uri, null, reader, errors).send(true));
  }

  /**
   * Sends a request that changes something, once for each subscriber, and reads its response. It
   * sets the length of the body, copies no byte of it, and passes it on in small parts.
   *
   * @param client with the other headers of the request
   * @param content the pieces of the body; none for an empty one
   * @param errors maps an error of the client or the reader
   */
  public static <T> Mono<T> once(
      HttpClient client,
      HttpMethod method,
      String uri,
      List<Bytes> content,
      Reader<T> reader,
      Function<Throwable, Throwable> errors) {
    long length = content.stream().mapToLong(Bytes::size).sum();
    HttpClient sized =
        client.headers(all -> all.set(HttpHeaderNames.CONTENT_LENGTH, Long.toString(length)));
    List<Bytes> sent = length == 0 ? List.of() : content;
    return Mono.defer(
        () -> new SentRequest<>(sized, method, uri, sent, reader, errors).send(false));
  }

  /** Returns the length of the body; -1 where the header is missing or no number. */
  public static long length(HttpHeaders headers) {
    String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
    return length != null && isNumber(length) ? Long.parseLong(length) : -1;
  }

  /** Reads the rest of a small body, so that its connection can be used again. */
  public static Mono<Void> drain(Flux<ByteBuf> body) {
    return BodyDrain.of(body.map(ByteBuf::nioBuffer));
  }

  /** Closes the connection of a response that arrives after a cancel: Reactor discards both. */
  private Mono<T> send(boolean again) {
    return receiver(client.doOnRequest((request, connection) -> passTo(connection)).request(method))
        .<T>response(this::next)
        .doOnDiscard(Connection.class, Connection::dispose)
        .singleOrEmpty()
        .doOnCancel(() -> cancelled = true)
        .onErrorResume(
            e ->
                (again || reused) && content == null && !responded && saysUnanswered(e)
                    ? repeat(again && reused)
                    : Mono.error(errors.apply(e)));
  }

  private HttpClient.ResponseReceiver<?> receiver(HttpClient.RequestSender request) {
    List<Bytes> body = content;
    return body == null || body.isEmpty()
        ? request.uri(uri)
        : request.uri(uri).send(Flux.fromIterable(body).concatMapIterable(SentRequest::parts));
  }

  /** Cuts a piece into small parts, so that what the server has not taken waits here. */
  private static Iterable<ByteBuf> parts(Bytes piece) {
    int count = (int) ((piece.size() + PART - 1L) / PART);
    return () -> IntStream.range(0, count).mapToObj(index -> part(piece, index)).iterator();
  }

  private static ByteBuf part(Bytes piece, int index) {
    int offset = index * PART;
    return Unpooled.wrappedBuffer(
        piece.unsafeArray(), piece.unsafeOffset() + offset, Math.min(PART, piece.size() - offset));
  }

  /**
   * Returns true for a connection that was closed or reset before a response. The server closed an
   * idle connection, or the client closed it for a cancelled request whose response had just ended.
   */
  private static boolean saysUnanswered(Throwable error) {
    return error instanceof PrematureCloseException
        || error instanceof AbortedException
        || error instanceof NotYetConnectedException
        || saysPoolIsClosed(error)
        || ClosedConnection.isSaidBy(error);
  }

  /** Returns true if the pool has offered only closed connections; no request was written. */
  private static boolean saysPoolIsClosed(Throwable error) {
    return error instanceof IOException
        && String.valueOf(error.getMessage()).startsWith("Error while acquiring from ");
  }

  private Mono<T> repeat(boolean again) {
    reused = false;
    return send(again);
  }

  /**
   * Gives the connection up after a cancel, on its event loop right before the request is written.
   */
  private void passTo(Connection connection) {
    reused = connection.channel().attr(USED).getAndSet(true) != null;
    if (cancelled) {
      connection.dispose();
    }
  }

  private Publisher<T> next(HttpClientResponse response, ByteBufFlux body) {
    responded = true;
    try {
      return reader.read(response, body);
    } catch (RuntimeException e) {
      return BodyDrain.isWorth(length(response.responseHeaders()))
          ? drain(body).then(Mono.error(e))
          : Mono.error(e);
    }
  }

  /** Returns true for up to 18 digits, which a long can hold. */
  private static boolean isNumber(String text) {
    boolean digits = !text.isEmpty() && text.length() <= 18;
    for (int i = 0; digits && i < text.length(); i++) {
      digits = text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    return digits;
  }
}
