package dev.zarrreactive.testing;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The class path of the running tests, without some of its libraries. */
public final class ClassPath {
  private ClassPath() {}

  /** A loader of everything on the class path but the libraries of these classes. */
  public static URLClassLoader without(Class<?>... classes) {
    List<URL> libraries = new ArrayList<>();
    for (Class<?> type : classes) {
      CodeSource source = type.getProtectionDomain().getCodeSource();
      libraries.add(Objects.requireNonNull(source).getLocation());
    }
    List<URL> left = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      left.add(url(entry));
    }
    if (!left.removeAll(libraries)) {
      throw new AssertionError(libraries + " are not on the class path " + left);
    }
    return new URLClassLoader(left.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  private static URL url(String entry) {
    try {
      return Path.of(entry).toUri().toURL();
    } catch (MalformedURLException e) {
      throw new AssertionError(e);
    }
  }
}
