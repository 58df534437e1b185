package dev.zarrreactive.internal.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The header {@code User-Agent} of this library's requests (RFC 9110, section 10.1.5). */
public final class UserAgent {
  private static final String RESOURCE = "version.properties";

  /** The version where the build did not write one, such as in an editor. */
  private static final String UNKNOWN = "dev";

  private UserAgent() {}

  /**
   * The name and the version of this library. The first call reads a resource of the class path, so
   * that it may block.
   */
  public static String text() {
    return Holder.TEXT;
  }

  private static String version() {
    try (InputStream stream = UserAgent.class.getResourceAsStream(RESOURCE)) {
      Properties written = new Properties();
      if (stream != null) {
        written.load(stream);
      }
      String version = written.getProperty("version", UNKNOWN);
      return version.matches("[A-Za-z0-9._+-]+") ? version : UNKNOWN;
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  /** Read when the first request needs it. */
  private static final class Holder {
    static final String TEXT = "zarr-reactive/" + version();
  }
}
