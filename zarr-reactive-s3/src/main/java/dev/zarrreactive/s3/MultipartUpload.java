package dev.zarrreactive.s3;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.sharing.UploadRetries;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/** Uploads a large value in parts; the end of the upload makes them the value. */
final class MultipartUpload {
  private static final int PARTS_AT_A_TIME = 4;

  /**
   * The patience with the end of an upload, in stall timeouts: a server may join parts for minutes.
   */
  private static final int PATIENCE = 10;

  private final S3Requests requests;
  private final S3Settings settings;

  MultipartUpload(S3Requests requests, S3Settings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  /**
   * Uploads parts as they come, each but the last of the part size. The server checks the
   * conditions at the end. Errors are of the client, or of {@code parts}.
   */
  Mono<Void> upload(
      StoreKey key,
      Publisher<ValuePart> parts,
      @Nullable String ifMatch,
      @Nullable String ifNoneMatch) {
    boolean isPlain = ifMatch == null && ifNoneMatch == null;
    return Mono.usingWhen(
        begin(key),
        upload ->
            parts(key, parts, upload)
                .flatMap(
                    all -> {
                      Mono<Void> end = complete(key, upload, all, ifMatch, ifNoneMatch);
                      return isPlain ? repeat(key, end) : end;
                    }),
        upload -> Mono.empty(),
        (upload, error) -> abort(key, upload),
        upload -> abort(key, upload));
  }

  private Mono<String> begin(StoreKey key) {
    CreateMultipartUploadRequest request =
        CreateMultipartUploadRequest.builder()
            .bucket(settings.bucket())
            .key(settings.object(key))
            .requestPayer(settings.payer())
            .build();
    return repeat(
        key,
        requests
            .ask(request, S3AsyncClient::createMultipartUpload)
            .map(CreateMultipartUploadResponse::uploadId));
  }

  private Mono<List<CompletedPart>> parts(StoreKey key, Publisher<ValuePart> parts, String upload) {
    return Concurrently.mapInOrder(
            parts,
            PARTS_AT_A_TIME,
            part -> repeat(key, part(key, upload, part.number(), part.pieces())))
        .collectList();
  }

  /** Repeats a request where a decorator has asked for it, which knows the errors of a store. */
  private <T> Mono<T> repeat(StoreKey key, Mono<T> request) {
    return UploadRetries.of(
        request.onErrorMap(e -> S3Errors.of(e, S3Settings.at(key), settings.url(key))));
  }

  private Mono<CompletedPart> part(StoreKey key, String upload, int number, List<Bytes> part) {
    UploadPartRequest request =
        UploadPartRequest.builder()
            .bucket(settings.bucket())
            .key(settings.object(key))
            .uploadId(upload)
            .partNumber(number)
            .contentLength(ValueBody.size(part))
            .requestPayer(settings.payer())
            .build();
    return requests
        .send(request, (client, sent, watch) -> client.uploadPart(sent, ValueBody.of(part, watch)))
        .map(
            answer ->
                CompletedPart.builder()
                    .partNumber(number)
                    .eTag(answer.eTag())
                    .checksumCRC32(answer.checksumCRC32())
                    .build());
  }

  private Mono<Void> complete(
      StoreKey key,
      String upload,
      List<CompletedPart> parts,
      @Nullable String ifMatch,
      @Nullable String ifNoneMatch) {
    CompleteMultipartUploadRequest request =
        CompleteMultipartUploadRequest.builder()
            .bucket(settings.bucket())
            .key(settings.object(key))
            .uploadId(upload)
            .multipartUpload(all -> all.parts(parts))
            .ifMatch(ifMatch)
            .ifNoneMatch(ifNoneMatch)
            .requestPayer(settings.payer())
            .build();
    Duration patience = settings.stallTimeout().multipliedBy(PATIENCE);
    return requests
        .send(patience, request, (client, sent, watch) -> client.completeMultipartUpload(sent))
        .then();
  }

  /** Discards the parts: the owner of the bucket pays for them until then. */
  private Mono<Void> abort(StoreKey key, String upload) {
    AbortMultipartUploadRequest request =
        AbortMultipartUploadRequest.builder()
            .bucket(settings.bucket())
            .key(settings.object(key))
            .uploadId(upload)
            .requestPayer(settings.payer())
            .build();
    return requests.ask(request, S3AsyncClient::abortMultipartUpload).then().onErrorComplete();
  }
}
