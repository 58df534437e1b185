package dev.zarrreactive.internal.s3.http;

import java.util.List;
import java.util.Map;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/** The head of a request that is another one's. */
public class ForwardingRequest implements SdkHttpRequest {
  private final SdkHttpRequest request;

  public ForwardingRequest(SdkHttpRequest request) {
    this.request = request;
  }

  @Override
  public SdkHttpMethod method() {
    return request.method();
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
  public Map<String, List<String>> headers() {
    return request.headers();
  }

  @Override
  public SdkHttpRequest.Builder toBuilder() {
    return request.toBuilder();
  }
}
