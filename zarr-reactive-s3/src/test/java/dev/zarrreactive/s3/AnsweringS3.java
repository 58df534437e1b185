package dev.zarrreactive.s3;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;

/** A server that answers each request as a test says. */
final class AnsweringS3 implements AutoCloseable {
  /** A value, and the answer to a write. */
  static final ServerResponse VALUE =
      ServerResponse.of(200, Bytes.utf8("value")).with("etag", "\"1\"");

  volatile Function<ReceivedRequest, ServerResponse> answers;
  final FaultyServer server =
      FaultyServer.of(asked -> Mono.fromSupplier(() -> answers.apply(asked)));

  /** The clients of the SDK that stores over this server have made. */
  final AtomicInteger sdkClients = new AtomicInteger();

  AnsweringS3(Function<ReceivedRequest, ServerResponse> answers) {
    this.answers = answers;
  }

  /** Returns the settings of a store over this server. */
  S3StoreBuilder bucket() {
    return S3Store.at("bucket").endpoint(server.uri()).with(client -> client.http = this::counted);
  }

  private SdkAsyncHttpClient counted(SdkAsyncHttpClient http) {
    sdkClients.incrementAndGet();
    return http;
  }

  static boolean isOfTheSdk(ReceivedRequest request) {
    return request.header("amz-sdk-request") != null;
  }

  /** Returns an error of S3. */
  static ServerResponse error(int status, String code) {
    return ServerResponse.of(status, Bytes.utf8("<Error><Code>" + code + "</Code></Error>"));
  }

  @Override
  public void close() {
    server.close();
  }
}
