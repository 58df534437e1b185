package dev.zarrreactive.house;

import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.LocationProvider;
import java.nio.file.Path;
import java.util.Set;

/** The compiled main code of this module, and nothing of the modules that its tests use. */
public final class MainClasses implements LocationProvider {

  @Override
  public Set<Location> get(Class<?> testClass) {
    return Set.of(Location.of(Path.of("target/classes").toAbsolutePath()));
  }
}
