package dev.zarrreactive.cli.support;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;

/** The versions that the build has written: a jar of everything has no others. */
final class BuiltWith {
  private static final String RESOURCE = "version.properties";
  private static final String OWN = "zarr-reactive";

  private final Properties versions;

  private BuiltWith(Properties versions) {
    this.versions = versions;
  }

  /** Reads the resource. */
  static BuiltWith read() {
    Properties versions = new Properties();
    try (InputStream stream = BuiltWith.class.getResourceAsStream(RESOURCE)) {
      if (stream != null) {
        versions.load(stream);
      }
    } catch (IOException e) {
      versions.clear(); // told as unknown
    }
    return new BuiltWith(versions);
  }

  /** Returns the version of this program. */
  String own() {
    return versions.getProperty(OWN, "unknown");
  }

  /** Returns each library with its version, by name. */
  List<String> libraries() {
    List<String> names = new ArrayList<>(versions.stringPropertyNames());
    Collections.sort(names);
    names.remove(OWN);
    return names.stream().map(name -> name + " " + versions.getProperty(name)).toList();
  }
}
