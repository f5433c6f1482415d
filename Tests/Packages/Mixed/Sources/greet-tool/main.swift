import Greeting

print(Greeting(name: "世界").text)
