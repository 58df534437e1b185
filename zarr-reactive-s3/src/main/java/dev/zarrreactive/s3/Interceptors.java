package dev.zarrreactive.s3;

import java.io.IOException;
import java.util.Collections;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** The interceptors that every client of the SDK finds on the class path. */
final class Interceptors {
  private static final String OF_ALL =
      "software/amazon/awssdk/global/handlers/execution.interceptors";
  private static final String OF_S3 = "software/amazon/awssdk/services/s3/execution.interceptors";

  private Interceptors() {}

  /**
   * Returns true where another jar than the SDK's has some, such as one for traces. It reads jars.
   */
  static boolean areThere() {
    ClassLoader loader = S3AsyncClient.class.getClassLoader();
    try {
      return loader.getResource(OF_ALL) != null
          || Collections.list(loader.getResources(OF_S3)).size() > 1;
    } catch (IOException e) {
      return true;
    }
  }
}
