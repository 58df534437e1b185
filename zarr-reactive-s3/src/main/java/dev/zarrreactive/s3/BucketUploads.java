package dev.zarrreactive.s3;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.UnfinishedUploads;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsRequest;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.ListPartsRequest;
import software.amazon.awssdk.services.s3.model.ListPartsResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/** The requests for uploads in parts that were begun and never ended. */
final class BucketUploads implements UnfinishedUploads.Requests<MultipartUpload> {
  private final S3Requests requests;
  private final S3Settings settings;

  BucketUploads(S3Requests requests, S3Settings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  @Override
  public Flux<MultipartUpload> uploads() {
    return page(null)
        .expand(page -> isLast(page) ? Mono.empty() : page(page))
        .concatMapIterable(ListMultipartUploadsResponse::uploads);
  }

  @Override
  public String object(MultipartUpload upload) {
    return upload.key();
  }

  @Override
  public Instant begun(MultipartUpload upload) {
    return upload.initiated();
  }

  @Override
  public Mono<Long> bytes(MultipartUpload upload) {
    return bytes(upload, null);
  }

  private static boolean isLast(ListMultipartUploadsResponse page) {
    return !Boolean.TRUE.equals(page.isTruncated())
        || page.nextKeyMarker() == null
        || (page.nextKeyMarker().equals(page.keyMarker())
            && page.nextUploadIdMarker().equals(page.uploadIdMarker()));
  }

  private Mono<ListMultipartUploadsResponse> page(@Nullable ListMultipartUploadsResponse before) {
    ListMultipartUploadsRequest request =
        ListMultipartUploadsRequest.builder()
            .bucket(settings.bucket())
            .prefix(settings.names().prefix())
            .keyMarker(before == null ? null : before.nextKeyMarker())
            .uploadIdMarker(before == null ? null : before.nextUploadIdMarker())
            .requestPayer(settings.payer())
            .build();
    return requests.ask(request, S3AsyncClient::listMultipartUploads).onErrorMap(this::located);
  }

  private Mono<Long> bytes(MultipartUpload upload, @Nullable Integer marker) {
    ListPartsRequest request =
        ListPartsRequest.builder()
            .bucket(settings.bucket())
            .key(upload.key())
            .uploadId(upload.uploadId())
            .partNumberMarker(marker)
            .requestPayer(settings.payer())
            .build();
    return requests
        .ask(request, S3AsyncClient::listParts)
        .onErrorResume(BucketUploads::saysEnded, e -> Mono.empty())
        .onErrorMap(this::located)
        .flatMap(
            page -> {
              long size = page.parts().stream().mapToLong(part -> part.size()).sum();
              return isLast(page, marker)
                  ? Mono.just(size)
                  : bytes(upload, page.nextPartNumberMarker()).map(more -> size + more);
            });
  }

  private static boolean isLast(ListPartsResponse page, @Nullable Integer marker) {
    Integer next = page.nextPartNumberMarker();
    return !Boolean.TRUE.equals(page.isTruncated())
        || next == null
        || (marker != null && next <= marker);
  }

  @Override
  public Mono<MultipartUpload> discard(MultipartUpload upload) {
    AbortMultipartUploadRequest request =
        AbortMultipartUploadRequest.builder()
            .bucket(settings.bucket())
            .key(upload.key())
            .uploadId(upload.uploadId())
            .requestPayer(settings.payer())
            .build();
    return requests
        .ask(request, S3AsyncClient::abortMultipartUpload)
        .map(answer -> upload)
        .onErrorResume(BucketUploads::saysEnded, e -> Mono.empty())
        .onErrorMap(this::located);
  }

  /** Returns true for an upload that has ended since it was listed. */
  private static boolean saysEnded(Throwable error) {
    return error instanceof AwsServiceException answer
        && S3Errors.code(answer).equals("NoSuchUpload");
  }

  private Throwable located(Throwable error) {
    return S3Errors.of(
        error, ObjectNames.at(StorePrefix.ROOT), settings.names().url(StorePrefix.ROOT));
  }
}
