package dev.zarrreactive.s3;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.PartedUpload;
import dev.zarrreactive.internal.objects.ValuePart;
import dev.zarrreactive.internal.objects.WriteCondition;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/** The requests of an upload in parts. */
final class MultipartUpload implements PartedUpload.Requests<String, CompletedPart> {
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

  @Override
  public Mono<String> begin(StoreKey key, WriteCondition condition) {
    CreateMultipartUploadRequest request =
        CreateMultipartUploadRequest.builder()
            .bucket(settings.bucket())
            .key(settings.names().object(key))
            .metadata(ValueWriter.metadata(condition))
            .requestPayer(settings.payer())
            .build();
    return requests
        .ask(request, S3AsyncClient::createMultipartUpload)
        .map(CreateMultipartUploadResponse::uploadId);
  }

  @Override
  public Mono<CompletedPart> send(StoreKey key, String upload, ValuePart part) {
    UploadPartRequest request =
        UploadPartRequest.builder()
            .bucket(settings.bucket())
            .key(settings.names().object(key))
            .uploadId(upload)
            .partNumber(part.number())
            .contentLength(part.size())
            .requestPayer(settings.payer())
            .build();
    return requests
        .send(
            request,
            (client, sent, watch) -> client.uploadPart(sent, ValueBody.of(part.pieces(), watch)))
        .map(
            answer ->
                CompletedPart.builder()
                    .partNumber(part.number())
                    .eTag(answer.eTag())
                    .checksumCRC32(answer.checksumCRC32())
                    .build());
  }

  @Override
  public Mono<Void> end(
      StoreKey key, String upload, List<CompletedPart> parts, WriteCondition condition) {
    CompleteMultipartUploadRequest request =
        CompleteMultipartUploadRequest.builder()
            .bucket(settings.bucket())
            .key(settings.names().object(key))
            .uploadId(upload)
            .multipartUpload(all -> all.parts(parts))
            .ifMatch(condition.ifMatch())
            .ifNoneMatch(condition.ifNoneMatch())
            .requestPayer(settings.payer())
            .build();
    Duration patience = settings.stallTimeout().multipliedBy(PATIENCE);
    return requests
        .send(patience, request, (client, sent, watch) -> client.completeMultipartUpload(sent))
        .then();
  }

  /** Discards the parts: the owner of the bucket pays for them until then. */
  @Override
  public Mono<Void> discard(StoreKey key, String upload) {
    AbortMultipartUploadRequest request =
        AbortMultipartUploadRequest.builder()
            .bucket(settings.bucket())
            .key(settings.names().object(key))
            .uploadId(upload)
            .requestPayer(settings.payer())
            .build();
    return requests.ask(request, S3AsyncClient::abortMultipartUpload).then();
  }

  @Override
  public Throwable located(StoreKey key, Throwable error) {
    return S3Errors.of(error, ObjectNames.at(key), settings.names().url(key));
  }
}
