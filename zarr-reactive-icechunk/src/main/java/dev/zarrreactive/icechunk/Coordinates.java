package dev.zarrreactive.icechunk;

import dev.zarrreactive.internal.icechunk.SnapshotFile;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The manifests that are read ahead: small ones of coordinates. The names and the bounds are those
 * of icechunk. An array of one dimension that has its name is a coordinate here, too.
 */
final class Coordinates {
  /** The most references of a manifest. */
  private static final long MOST_REFERENCES = 1_000;

  /** The most references of all of them. */
  private static final long MOST_IN_ALL = 10_000;

  /** The most arrays of coordinates, as icechunk looks at so many. */
  private static final int MOST_ARRAYS = 50;

  private static final Pattern TIME =
      Pattern.compile("t|(time|min|hour|day|week|month|year)[0-9]*");
  private static final Pattern HEIGHT =
      Pattern.compile(
          "(z|nav_lev|gdep|lv_|o*lev|bottom_top|sigma|height|hght|altitude|depth|isobaric|pres"
              + "|isotherm)[a-z_]*[0-9]*");
  private static final Pattern LATITUDE = Pattern.compile("y?(nav_lat|lat|gphi)[a-z0-9]*");
  private static final Pattern LONGITUDE = Pattern.compile("x?(nav_lon|lon|glam)[a-z0-9]*");
  private static final Set<String> AXES =
      Set.of("x", "i", "nlon", "rlon", "ni", "y", "j", "nlat", "rlat", "nj");

  private Coordinates() {}

  /** The ids of the manifests to read. */
  static Set<String> manifestsOf(SnapshotFile snapshot) {
    Map<String, SnapshotFile.ManifestInfo> listed = snapshot.manifestFiles();
    Set<String> chosen = new LinkedHashSet<>();
    long all = 0;
    int arrays = 0;
    for (int node = 0; node < snapshot.size() && arrays < MOST_ARRAYS; node++) {
      if (!snapshot.isArray(node) || !isCoordinate(snapshot, node)) {
        continue;
      }
      arrays++;
      SnapshotFile.ArrayNode array = snapshot.array(node);
      for (int i = 0; i < array.manifests(); i++) {
        String manifest = array.manifest(i);
        SnapshotFile.ManifestInfo info = listed.get(manifest);
        if (info != null
            && info.references() <= MOST_REFERENCES
            && all + info.references() <= MOST_IN_ALL
            && chosen.add(manifest)) {
          all += info.references();
        }
      }
    }
    return chosen;
  }

  private static boolean isCoordinate(SnapshotFile snapshot, int node) {
    String path = snapshot.pathOf(node);
    String name = path.substring(path.lastIndexOf('/') + 1);
    return isName(name) || snapshot.array(node).isCoordinate(name);
  }

  /** Returns true for the name of a coordinate, as models of weather and ocean write it. */
  static boolean isName(String name) {
    return AXES.contains(name)
        || TIME.matcher(name).matches()
        || HEIGHT.matcher(name).matches()
        || LATITUDE.matcher(name).matches()
        || LONGITUDE.matcher(name).matches();
  }
}
