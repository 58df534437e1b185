package dev.zarrreactive.azure;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.http.SentRequest;
import dev.zarrreactive.internal.objects.ErrorCodes;
import dev.zarrreactive.internal.objects.XmlHead;
import dev.zarrreactive.internal.transfer.ResponseErrors;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Maps responses to the errors of a store. They show the status and the code of the server, and not
 * its text.
 */
final class AzureErrors {
  /** The header with the code of an error, which a response to HEAD has, too. */
  private static final String CODE = "x-ms-error-code";

  private static final int MOST_READ = 16 << 10;

  /** What helps, by the code of the server. */
  private static final Map<String, String> HINTS =
      Map.of(
          "ContainerNotFound", "create the container first, or look at its name and the account",
          "AuthenticationFailed",
              "the key or the signature is wrong or has expired, or the clock of this machine is"
                  + " wrong",
          "AuthorizationPermissionMismatch",
              "the credential lacks a permission: the role Storage Blob Data Reader reads, Storage"
                  + " Blob Data Contributor writes",
          "PublicAccessNotPermitted", "the account allows no request without a credential",
          "LeaseIdMissing", "another program holds a lease on the blob",
          "SnapshotsPresent", "the blob has snapshots: erase them first",
          "BlobArchived", "the blob is in the archive tier: rehydrate it first",
          "InvalidBlockList",
              "another writer has replaced the value while the blocks of this one were sent");

  private AzureErrors() {}

  /** Emits the code of an error, such as {@code BlobNotFound}; empty text for none. */
  static Mono<String> code(HttpHeaders headers, Flux<ByteBuf> body) {
    String code = headers.get(CODE);
    if (code != null) {
      return SentRequest.drain(body).thenReturn(code);
    }
    return Mono.defer(
        () -> {
          StringBuilder head = new StringBuilder();
          return SentRequest.drain(body.doOnNext(part -> add(part, head)))
              .then(Mono.fromSupplier(() -> XmlHead.code(head.toString())));
        });
  }

  private static void add(ByteBuf part, StringBuilder head) {
    int count = Math.min(part.readableBytes(), MOST_READ - head.length());
    if (count > 0) {
      head.append(part.toString(part.readerIndex(), count, StandardCharsets.ISO_8859_1));
    }
  }

  /**
   * Returns the error for a response without a value.
   *
   * @param refusal the end of the message on a refusal: whose credential it was, and what to set
   */
  static StoreException answered(AzureRefusal answer, Location at, String url, String refusal) {
    String hint = HINTS.getOrDefault(answer.code(), "");
    String statement =
        url
            + " answered "
            + answer.shown()
            + (hint.isEmpty() ? "" : "; " + hint)
            + (answer.isRefused() ? refusal : "");
    boolean passes =
        answer.code().equals("InvalidBlockList")
            || (!answer.isRefused() && ErrorCodes.mayPass(answer.code()));
    return passes
        ? new TransientStoreException(
            statement, at, ResponseErrors.retryAfter(answer.header("retry-after")))
        : ResponseErrors.of(
            answer.status(),
            statement,
            at,
            ResponseErrors.retryAfter(answer.header("retry-after")));
  }
}
