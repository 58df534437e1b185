package dev.zarrreactive.gcs;

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
import java.time.Duration;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Maps responses to the errors of a store. They show the status and the code of the server, and not
 * its text.
 */
final class GcsErrors {
  private static final int MOST_READ = 16 << 10;
  private static final String ACCOUNT = "the account of the credential lacks a permission";

  /** What helps, by the code of the server. */
  private static final Map<String, String> HINTS =
      Map.of(
          "NoSuchBucket", "create the bucket first, or look at its name",
          "UserProjectMissing",
              "the reader of this bucket pays: name a project of yours with the option user-project",
          "UserProjectAccessDenied",
              ACCOUNT + " to have the project pay (serviceusage.services.use)",
          "UserProjectAccountProblem", "the project of the option user-project cannot be billed",
          "RequestTimeTooSkewed", "the clock of this machine is wrong",
          "SignatureDoesNotMatch", "the secret does not belong to the access ID",
          "InvalidSecurity", "the server does not know the access ID");

  private GcsErrors() {}

  /** Emits the code in the body of an error, such as {@code NoSuchKey}; empty text for none. */
  static Mono<String> code(Flux<ByteBuf> body) {
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

  /** Returns true for a response that only this service sends. */
  static boolean isOfGoogle(String code, HttpHeaders headers) {
    return !code.isEmpty()
        || headers.contains("x-guploader-uploadid")
        || headers.contains("x-goog-generation")
        || headers.contains("x-goog-hash");
  }

  /**
   * Returns the error for a response without a value.
   *
   * @param identity the end of the message on a refusal: who asked
   */
  static StoreException answered(GcsRefusal answer, Location at, String url, String identity) {
    boolean isRefused = ErrorCodes.saysRefused(answer.status(), answer.code());
    String hint = HINTS.getOrDefault(answer.code(), "");
    String statement =
        url
            + " answered "
            + shown(answer)
            + (hint.isEmpty() ? "" : "; " + hint)
            + (isRefused ? identity : "");
    Duration wait = ResponseErrors.retryAfter(answer.header("retry-after"));
    return !isRefused && ErrorCodes.mayPass(answer.code())
        ? new TransientStoreException(statement, at, wait)
        : ResponseErrors.of(answer.status(), statement, at, wait);
  }

  /** Returns the status and, as far as known, the code. */
  static String shown(GcsRefusal answer) {
    return answer.status() + (answer.code().isEmpty() ? "" : " " + answer.code());
  }
}
