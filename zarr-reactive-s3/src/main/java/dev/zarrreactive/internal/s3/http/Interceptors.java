package dev.zarrreactive.internal.s3.http;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** The interceptors that each client of the SDK finds on the class path, such as for traces. */
public final class Interceptors {
  private static final String[] LISTS = {
    "software/amazon/awssdk/global/handlers/execution.interceptors",
    "software/amazon/awssdk/services/s3/execution.interceptors"
  };

  private Interceptors() {}

  /**
   * Returns true where a client that this thread makes finds some. The SDK's own ones are in no
   * list. It reads jars.
   */
  public static boolean areThere() {
    return Stream.of(
            Thread.currentThread().getContextClassLoader(), S3AsyncClient.class.getClassLoader())
        .anyMatch(Interceptors::areIn);
  }

  /** Returns true where a list is in the resources of {@code loader}. */
  public static boolean areIn(@Nullable ClassLoader loader) {
    return loader != null && Stream.of(LISTS).anyMatch(list -> loader.getResource(list) != null);
  }
}
