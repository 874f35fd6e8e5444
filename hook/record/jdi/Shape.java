package clausefit.record;

import com.sun.jdi.Field;
import java.util.List;

/**
 * The fields that are shown of the objects of a class, with their names and declared types. <code>isWhole</code>: there
 * are no others (compilers add some, for the object around an inner one).
 */
record Shape(List<Field> fields, List<String> names, List<String> types, boolean isWhole) {}
