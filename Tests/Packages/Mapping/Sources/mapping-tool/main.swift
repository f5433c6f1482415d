import Mapping

print(onlyInTheTool())
