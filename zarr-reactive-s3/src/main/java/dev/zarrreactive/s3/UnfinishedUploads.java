package dev.zarrreactive.s3;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.store.LeftoverStore.Leftover;
import java.time.Duration;
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

/** Finds and removes uploads in parts that were begun and never ended. */
final class UnfinishedUploads {
  private static final int AT_A_TIME = 8;

  private final S3Requests requests;
  private final S3Settings settings;

  UnfinishedUploads(S3Requests requests, S3Settings settings) {
    this.requests = requests;
    this.settings = settings;
  }

  /** Lists the uploads below the prefix of the store that are at least so old, with their bytes. */
  Flux<Leftover> list(Duration age) {
    return Concurrently.map(
        olderThan(age),
        AT_A_TIME,
        upload ->
            bytes(upload, null)
                .map(
                    size ->
                        new Leftover(upload.key().substring(settings.prefix().length()), size)));
  }

  /** Removes these uploads, and counts them. */
  Mono<Long> remove(Duration age) {
    return Concurrently.map(olderThan(age), AT_A_TIME, this::discard).count();
  }

  private Flux<MultipartUpload> olderThan(Duration age) {
    return Flux.defer(
        () -> {
          Instant latest = Instant.now().minus(age);
          return page(null)
              .expand(page -> isLast(page) ? Mono.empty() : page(page))
              .concatMapIterable(ListMultipartUploadsResponse::uploads)
              .filter(upload -> upload.key().startsWith(settings.prefix()))
              .filter(upload -> !upload.initiated().isAfter(latest));
        });
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
            .prefix(settings.prefix())
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
        .onErrorResume(UnfinishedUploads::saysEnded, e -> Mono.empty())
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

  private Mono<MultipartUpload> discard(MultipartUpload upload) {
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
        .onErrorResume(UnfinishedUploads::saysEnded, e -> Mono.empty())
        .onErrorMap(this::located);
  }

  /** Returns true for an upload that has ended since it was listed. */
  private static boolean saysEnded(Throwable error) {
    return error instanceof AwsServiceException answer
        && S3Errors.code(answer).equals("NoSuchUpload");
  }

  private Throwable located(Throwable error) {
    return S3Errors.of(error, S3Settings.at(StorePrefix.ROOT), settings.url(StorePrefix.ROOT));
  }
}
