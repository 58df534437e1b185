package dev.zarrreactive.internal.s3.http;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BiConsumer;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * The head of a request behind its gate. The Netty client of the SDK calls {@link #method} on the
 * event loop, when it has a connection and is about to write. An exception makes it give up the
 * connection. It calls the method again after the response.
 */
record GatedRequest(SdkHttpRequest request, RequestGate gate) implements SdkHttpRequest {
  /**
   * Passes the gate.
   *
   * @throws CancellationException after a cancel
   */
  @Override
  public SdkHttpMethod method() {
    return gate.pass(request::method);
  }

  @Override
  public String protocol() {
    return request.protocol();
  }

  @Override
  public String host() {
    return request.host();
  }

  @Override
  public int port() {
    return request.port();
  }

  @Override
  public String encodedPath() {
    return request.encodedPath();
  }

  @Override
  public Map<String, List<String>> rawQueryParameters() {
    return request.rawQueryParameters();
  }

  @Override
  public Optional<String> encodedQueryParameters() {
    return request.encodedQueryParameters();
  }

  @Override
  public URI getUri() {
    return request.getUri();
  }

  @Override
  public Map<String, List<String>> headers() {
    return request.headers();
  }

  @Override
  public Optional<String> firstMatchingHeader(String name) {
    return request.firstMatchingHeader(name);
  }

  @Override
  public void forEachHeader(BiConsumer<? super String, ? super List<String>> consumer) {
    request.forEachHeader(consumer);
  }

  @Override
  public SdkHttpRequest.Builder toBuilder() {
    return request.toBuilder();
  }
}
