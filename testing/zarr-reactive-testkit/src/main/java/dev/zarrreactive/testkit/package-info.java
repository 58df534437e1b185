/** Contract tests for stores and codecs. */
@NullMarked
package dev.zarrreactive.testkit;

import org.jspecify.annotations.NullMarked;
