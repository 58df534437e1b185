/** What the repository of versioned data tells of its versions. */
@NullMarked
package dev.zarrreactive.cli.history;

import org.jspecify.annotations.NullMarked;
